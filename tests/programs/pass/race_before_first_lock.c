// SPDX-License-Identifier: Apache-2.0
// Fixed: the first thread is joined before the second begins; what is handed on so needs no lock.
// SCHEDULES: 200
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
  pthread_join(first, NULL);
  pthread_create(&second, NULL, look, NULL);
  pthread_join(second, NULL);
  return 0;
}
