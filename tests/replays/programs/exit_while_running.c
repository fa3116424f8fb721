// SPDX-License-Identifier: Apache-2.0
//
// The program ends with another exit code if main looks between the thread's two updates; the
// thread, which nobody waits for, has more to do then.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void* work(void* unused) {
  for (int i = 0; i < 4; ++i) atomic_fetch_add(&count, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  return atomic_load(&count) == 1 ? 3 : 0;
}
