// SPDX-License-Identifier: Apache-2.0
// Bug: the waiter reads the event count after its check, so futex_wait misses the change.
// EXPECT: kind=deadlock within=100 stack=await_open
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int closed = 1;
static atomic_uint event;

static void* await_open(void* unused) {
  while (atomic_load(&closed)) {
    const unsigned seen = atomic_load(&event);
    syscall(SYS_futex, &event, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
  }
  return unused;
}

static void* open_gate(void* unused) {
  atomic_store(&closed, 0);
  atomic_fetch_add(&event, 1);
  syscall(SYS_futex, &event, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return unused;
}

int main(void) {
  pthread_t waiter;
  pthread_t opener;
  pthread_create(&waiter, NULL, await_open, NULL);
  pthread_create(&opener, NULL, open_gate, NULL);
  pthread_join(waiter, NULL);
  pthread_join(opener, NULL);
  return 0;
}
