// SPDX-License-Identifier: Apache-2.0
// A reactor: epoll over an eventfd that tells of posted jobs, a timerfd and a socket pair, with a
// thread that posts and one that talks.
// SCHEDULES: 20
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int wakeup;
static int talk[2];
static atomic_int posted;

static void* post(void* unused) {
  uint64_t one = 1;
  for (int i = 0; i < 3; ++i) {
    ++posted;
    assert(write(wakeup, &one, sizeof one) == sizeof one);
  }
  return unused;
}

static void* ask(void* unused) {
  char answer = 0;
  assert(send(talk[1], "q", 1, 0) == 1 && recv(talk[1], &answer, 1, 0) == 1 && answer == 'r');
  assert(shutdown(talk[1], SHUT_WR) == 0);
  return unused;
}

static void watch(int loop, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  assert(epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event) == 0);
}

int main(void) {
  int loop = epoll_create1(EPOLL_CLOEXEC);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
  wakeup = eventfd(0, EFD_NONBLOCK);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, talk) == 0);
  assert(timerfd_settime(timer, 0, &soon, NULL) == 0);
  watch(loop, wakeup);
  watch(loop, talk[0]);
  watch(loop, timer);
  pthread_t threads[2];
  assert(pthread_create(&threads[0], NULL, post, NULL) == 0);
  assert(pthread_create(&threads[1], NULL, ask, NULL) == 0);
  uint64_t jobs = 0;
  uint64_t ticks = 0;
  for (int open = 1; open || jobs < 3 || ticks == 0;) {
    struct epoll_event event;
    assert(epoll_wait(loop, &event, 1, -1) == 1);
    uint64_t count = 0;
    if (event.data.fd == talk[0]) {
      char byte = 0;
      open = recv(talk[0], &byte, 1, 0) == 1;
      if (open) assert(byte == 'q' && send(talk[0], "r", 1, 0) == 1);
      if (!open) assert(epoll_ctl(loop, EPOLL_CTL_DEL, talk[0], NULL) == 0);
    } else if (read(event.data.fd, &count, sizeof count) == sizeof count) {
      *(event.data.fd == timer ? &ticks : &jobs) += count;
    }
  }
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(jobs == 3 && ticks == 1 && posted == 3);
  return 0;
}
