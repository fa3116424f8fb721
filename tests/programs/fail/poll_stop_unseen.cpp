// SPDX-License-Identifier: Apache-2.0
//
// A loop waits in poll and looks at a flag before each wait; whoever sets the flag does not wake
// it.
// EXPECT: kind=deadlock within=100 message~"an event of pipe #1"
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
  server.join();
}
