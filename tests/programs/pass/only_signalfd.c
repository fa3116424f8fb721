// SPDX-License-Identifier: Apache-2.0
// Signals read from a descriptor: pending ones, new ones, sets that change, several at once.
// SCHEDULES: 500
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void* send_both(void* unused) {
  kill(getpid(), SIGUSR2);
  kill(getpid(), SIGUSR1);
  return unused;
}

static unsigned next_signal(int file) {
  struct signalfd_siginfo info;
  if (read(file, &info, sizeof info) != sizeof info) return 0;
  return info.ssi_signo;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  kill(getpid(), SIGUSR1);
  int file = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  assert(file >= 0 && next_signal(file) == SIGUSR1);
  assert(next_signal(file) == 0 && errno == EAGAIN);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  assert(signalfd(file, &set, 0) == file);
  pthread_t sender;
  pthread_create(&sender, NULL, send_both, NULL);
  pthread_join(sender, NULL);
  struct pollfd waiting = {file, POLLIN, 0};
  assert(poll(&waiting, 1, 0) == 1 && waiting.revents == POLLIN);
  const unsigned sum = next_signal(file) + next_signal(file);
  assert(sum == SIGUSR1 + SIGUSR2 && next_signal(file) == 0);
  close(file);
  return 0;
}
