// SPDX-License-Identifier: Apache-2.0
// Fixed: the slot is filled by a compare-and-swap from empty.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int slot;
static atomic_int sent;
static int letters[2] = {1, 2};

static void* send(void* letter) {
  int expected = 0;
  if (atomic_compare_exchange_strong(&slot, &expected, *(int*)letter)) atomic_fetch_add(&sent, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, send, &letters[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  if (sent != 1) abort();
  return 0;
}
