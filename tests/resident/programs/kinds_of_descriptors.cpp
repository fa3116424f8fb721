// SPDX-License-Identifier: Apache-2.0
//
// Pipes, sockets, counters, timers, signals and watches as descriptors, all left open and in use.
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include "fresh.h"

namespace {

void look() {
  int one = eventfd(3, 0);
  FRESH(one >= 3 && fcntl(one + 1, F_GETFD) < 0);
  uint64_t value = 0;
  FRESH(read(one, &value, sizeof value) == 8 && value == 3);
  close(one);
}
void leave(int order) {
  int pipes[2];
  FRESH(pipe(pipes) == 0 && write(pipes[1], "left", 4) == 4);
  int pair[2];
  FRESH(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && write(pair[0], "left", 4) == 4);
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  itimerspec soon{{0, 1000}, {0, 1000}};
  timerfd_settime(timer, 0, &soon, nullptr);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  int signals = signalfd(-1, &set, 0);
  int watch = inotify_init1(0);
  inotify_add_watch(watch, ".", IN_CREATE);
  int all = epoll_create1(0);
  epoll_event event{EPOLLIN, {}};
  for (int each : {pipes[0], pair[1], timer, signals})
    FRESH(epoll_ctl(all, EPOLL_CTL_ADD, each, &event) == 0);
  int memory = memfd_create("left", 0);
  FRESH(ftruncate(memory, order * 4096) == 0);
  FRESH(eventfd(order, EFD_SEMAPHORE) > 0);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
