// SPDX-License-Identifier: Apache-2.0
//
// The futex ping-pong. See futex_handoff.h.
#include "futex_handoff.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace raddle::bench {
namespace {

constexpr int kTurns = 50'000;

void futex(std::atomic<int>& word, int operation, int value) {
  syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr, 0);
}

void pin_to_first_core() {
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all)) {
      CPU_SET(cpu, &one);
      break;
    }
  sched_setaffinity(0, sizeof one, &one);
}

void play(std::atomic<int>& turn, int me, bool one_core) {
  if (one_core) pin_to_first_core();
  for (int i = 0; i < kTurns; ++i) {
    while (turn.load() != me) futex(turn, FUTEX_WAIT, 1 - me);
    turn.store(1 - me);
    futex(turn, FUTEX_WAKE, 1);
  }
}

}  // namespace

double futex_handoff_ns(bool one_core) {
  std::atomic<int> turn{0};
  auto begin = std::chrono::steady_clock::now();
  std::thread ping([&] { play(turn, 0, one_core); });
  std::thread pong([&] { play(turn, 1, one_core); });
  ping.join();
  pong.join();
  std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
  return spent.count() / (2.0 * kTurns);
}

}  // namespace raddle::bench
