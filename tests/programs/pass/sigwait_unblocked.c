// SPDX-License-Identifier: Apache-2.0
// The signal is blocked in every thread: it stays pending until sigwait takes it.
// SCHEDULES: 500
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int stops;

static void* wait_for_stop(void* argument) {
  int number = 0;
  sigwait(argument, &number);
  assert(number == SIGTERM);
  ++stops;
  return NULL;
}

int main(void) {
  pthread_t waiter;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&waiter, NULL, wait_for_stop, &set);
  kill(getpid(), SIGTERM);
  pthread_join(waiter, NULL);
  return stops != 1;
}
