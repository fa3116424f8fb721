// SPDX-License-Identifier: Apache-2.0
// A signal comes to a thread that waits at a descriptor, and its handler uses descriptors itself:
// it takes and returns a token from a pipe (a lock that is safe in handlers) and writes to a second
// pipe. The interrupted poll ends with EINTR, the interrupted read goes on (SA_RESTART).
// SCHEDULES: 300
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int token[2], news[2], data[2];

static void lock(void) {
  char letter;
  ssize_t got;
  do got = read(token[0], &letter, 1);
  while (got < 0 && errno == EINTR);
  assert(got == 1);
}

static void unlock(void) {
  ssize_t written = write(token[1], "t", 1);
  assert(written == 1);
}

static void on_signal(int number) {
  (void)number;
  int saved = errno;
  lock();
  ssize_t written = write(news[1], "n", 1);
  assert(written == 1);
  unlock();
  errno = saved;
}

static void* send(void* reader) {
  lock();
  unlock();
  for (int i = 0; i < 2; ++i) {
    pthread_kill(*(pthread_t*)reader, SIGUSR1);
    ssize_t written = write(data[1], "d", 1);
    assert(written == 1);
  }
  return NULL;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, NULL);
  assert(pipe(token) == 0 && pipe(news) == 0 && pipe(data) == 0);
  unlock();
  pthread_t self = pthread_self(), sender;
  pthread_create(&sender, NULL, send, &self);
  char letter = 0;
  assert(read(data[0], &letter, 1) == 1 && letter == 'd');
  struct pollfd file = {data[0], POLLIN, 0};
  int ready;
  do ready = poll(&file, 1, -1);
  while (ready < 0 && errno == EINTR);
  assert(ready == 1 && read(data[0], &letter, 1) == 1 && letter == 'd');
  pthread_join(sender, NULL);
  // Two signals of one kind may have become one.
  char all[3];
  ssize_t told = read(news[0], all, sizeof all);
  assert(told == 1 || told == 2);
}
