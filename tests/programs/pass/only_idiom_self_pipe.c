// SPDX-License-Identifier: Apache-2.0
// The self-pipe: a handler writes a byte, a loop in poll reads it; another thread sends the signal.
// SCHEDULES: 20
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int self_pipe[2];
static int orders[2];
static volatile sig_atomic_t caught;

static void on_signal(int number) {
  int saved = errno;
  char byte = (char)number;
  if (write(self_pipe[1], &byte, 1) == 1) ++caught;
  errno = saved;
}

static void* other(void* argument) {
  pthread_t* loop = argument;
  assert(write(orders[1], "a", 1) == 1);
  assert(pthread_kill(*loop, SIGUSR1) == 0);
  assert(write(orders[1], "b", 1) == 1);
  assert(close(orders[1]) == 0);
  return NULL;
}

int main(void) {
  assert(pipe2(self_pipe, O_CLOEXEC | O_NONBLOCK) == 0 && pipe2(orders, O_CLOEXEC) == 0);
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  pthread_t self = pthread_self();
  pthread_t thread;
  assert(pthread_create(&thread, NULL, other, &self) == 0);
  int letters = 0;
  int signals = 0;
  for (int open = 1; open || signals == 0;) {
    struct pollfd ready[] = {{self_pipe[0], POLLIN, 0}, {open ? orders[0] : -1, POLLIN, 0}};
    if (poll(ready, 2, -1) < 0) {
      assert(errno == EINTR);
      continue;
    }
    char byte = 0;
    if (ready[0].revents != 0 && read(self_pipe[0], &byte, 1) == 1) signals += byte == SIGUSR1;
    if (ready[1].revents != 0) {
      ssize_t got = read(orders[0], &byte, 1);
      letters += got == 1;
      open = got != 0;
    }
  }
  assert(pthread_join(thread, NULL) == 0);
  assert(letters == 2 && signals == 1 && caught == 1);
  return 0;
}
