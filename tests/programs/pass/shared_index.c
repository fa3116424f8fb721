// SPDX-License-Identifier: Apache-2.0
// Fixed: the next index is taken by one fetch-and-add.
// STDIN: 1 2 3 4
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static int items[4];
static atomic_int next_index;
static atomic_int sum;

static void* work(void* unused) {
  for (;;) {
    const int index = atomic_fetch_add(&next_index, 1);
    if (index >= 4) return unused;
    atomic_fetch_add(&sum, items[index]);
  }
}

int main(void) {
  for (int i = 0; i < 4; ++i) {
    if (scanf("%d", &items[i]) != 1) return 2;
  }
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return sum == 10 ? 0 : 9;
}
