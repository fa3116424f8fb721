// SPDX-License-Identifier: Apache-2.0
// Bug: two senders find the slot empty and both put their letter into it; the program aborts.
// EXPECT: kind=assertion within=100 function=send
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int slot;
static int letters[2] = {1, 2};

static void* send(void* letter) {
  if (atomic_load(&slot) == 0 && atomic_exchange(&slot, *(int*)letter) != 0) abort();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, send, &letters[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
