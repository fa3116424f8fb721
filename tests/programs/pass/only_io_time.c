// SPDX-License-Identifier: Apache-2.0
//
// Time-outs of descriptors are virtual: poll, select, epoll_wait, SO_RCVTIMEO and timerfd, each
// waiting for an hour.
// UNCONTROLLED: skip
// SCHEDULES: 500
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int pair[2];

static void* time_outs(void* unused) {
  struct pollfd file = {pair[0], POLLIN, 0};
  struct timeval hour = {3600, 0};
  fd_set set;
  char byte;
  assert(poll(&file, 1, 3600 * 1000) == 0);
  FD_ZERO(&set);
  FD_SET(pair[0], &set);
  assert(select(pair[0] + 1, &set, NULL, NULL, &hour) == 0 && !FD_ISSET(pair[0], &set));
  hour.tv_sec = 3600;
  assert(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &hour, sizeof hour) == 0);
  assert(recv(pair[0], &byte, 1, 0) == -1 && errno == EAGAIN);
  return unused;
}

int main(void) {
  pthread_t thread;
  uint64_t count = 0;
  struct itimerspec every = {.it_interval = {3600, 0}, .it_value = {3600, 0}};
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  pthread_create(&thread, NULL, time_outs, NULL);
  time_t begin = time(NULL);
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  assert(timerfd_settime(timer, 0, &every, NULL) == 0);
  int poller = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data = {.fd = timer}};
  assert(epoll_ctl(poller, EPOLL_CTL_ADD, timer, &event) == 0);
  for (int i = 0; i < 2; ++i) {
    assert(epoll_wait(poller, &event, 1, -1) == 1);
    assert(read(timer, &count, sizeof count) == sizeof count && count >= 1);
  }
  assert(epoll_wait(poller, &event, 1, 60 * 1000) == 0);
  assert(time(NULL) - begin >= 7200);
  pthread_join(thread, NULL);
  return 0;
}
