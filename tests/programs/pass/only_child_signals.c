// SPDX-License-Identifier: Apache-2.0
// Signals of children reach a program that only spins, on an atomic or on a plain variable, and one
// that waits for nothing else.
// SCHEDULES: 20
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int got;
static volatile sig_atomic_t plain;

static void handle(int number) {
  if (number == SIGUSR1) atomic_store(&got, 1);
  plain = 1;
}

// Who sends the signal after a while.
static void start(int number) {
  pid_t parent = getpid();
  pid_t child = fork();
  assert(child >= 0);
  if (child > 0) return;
  usleep(2000);
  kill(parent, number);
  _exit(0);
}

static void finish(void) {
  int status = -1;
  assert(wait(&status) > 0 && status == 0);
}

int main(void) {
  signal(SIGUSR1, handle);
  signal(SIGUSR2, handle);
  start(SIGUSR1);
  while (!atomic_load(&got)) continue;
  finish();
  plain = 0;
  start(SIGUSR2);
  while (!plain) continue;
  finish();

  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  start(SIGUSR1);
  int number = 0;
  assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
  finish();
  return 0;
}
