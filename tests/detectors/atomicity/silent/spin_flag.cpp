// SPDX-License-Identifier: Apache-2.0
//
// A flag that is waited for: its reads see different values, which is their purpose.
#include <sched.h>

#include <atomic>
#include <cassert>

#include "detectors/threads.h"

static std::atomic<bool> ready{false};
static int message;

static void send() {
  message = 42;
  ready.store(true);
}

static void receive() {
  while (!ready.load()) sched_yield();
  assert(message == 42);
}

int main() { run_together(send, receive); }
