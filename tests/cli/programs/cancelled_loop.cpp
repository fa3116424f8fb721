// SPDX-License-Identifier: Apache-2.0
// A thread computes for ever, without any point, until it is cancelled.
#include <pthread.h>

static void* compute(void*) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  for (;;) asm volatile("");
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, compute, nullptr);
  pthread_cancel(thread);
  return pthread_join(thread, nullptr);
}
