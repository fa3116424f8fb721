// SPDX-License-Identifier: Apache-2.0
// Bug: a thread writes two flags, byte beside byte, before it synchronises with anybody; the other
// reads the first of them.
// EXPECT: kind=data-race within=1 message~"on `flags.ready`" site=race_before_first_lock.c:16
#include <pthread.h>
#include <stddef.h>

static struct { unsigned char ready, logged; } flags;

static void* announce(void* unused) {
  flags.ready = 1;
  flags.logged = 1;
  return unused;
}

static void* look(void* unused) { return flags.ready ? &flags : unused; }

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, announce, NULL);
  pthread_create(&second, NULL, look, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
