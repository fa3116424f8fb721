// SPDX-License-Identifier: Apache-2.0
//
// A loop waits in poll; whoever sets its flag also writes to the pipe, which wakes it.
// SCHEDULES: 500
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

static int ends[2];
static std::atomic<bool> stop{false};

static void serve() {
  while (!stop) {
    pollfd file{ends[0], POLLIN, 0};
    assert(poll(&file, 1, -1) == 1);
    char byte;
    assert(read(ends[0], &byte, 1) == 1);
  }
}

int main() {
  assert(pipe(ends) == 0);
  std::thread server(serve);
  assert(write(ends[1], "x", 1) == 1);
  stop = true;
  assert(write(ends[1], "x", 1) == 1);
  server.join();
}
