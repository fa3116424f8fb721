// SPDX-License-Identifier: Apache-2.0
//
// An edge-triggered epoll tells of new data once; the reader takes all that is there.
// SCHEDULES: 500
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void* write_two(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; ++i) assert(write(ends[1], "x", 1) == 1);
  return NULL;
}

int main(void) {
  pthread_t writer;
  char byte;
  assert(pipe2(ends, O_NONBLOCK) == 0);
  int poller = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data = {.fd = ends[0]}};
  assert(epoll_ctl(poller, EPOLL_CTL_ADD, ends[0], &event) == 0);
  pthread_create(&writer, NULL, write_two, NULL);
  for (int left = 2; left > 0;) {
    assert(epoll_wait(poller, &event, 1, -1) == 1);
    while (read(ends[0], &byte, 1) == 1) --left;
  }
  pthread_join(writer, NULL);
  return 0;
}
