// SPDX-License-Identifier: Apache-2.0
// A jthread with static lifetime that runs before main begins and is stopped after it has ended.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace {

struct Log {
  std::mutex guard;
  std::condition_variable_any changed;
  int written = 0;
  int pending = 0;
  bool ended = false;
  ~Log() { assert(ended && written == 3 && pending == 0); }
} log;

void write_lines(const std::stop_token& stop) {
  std::unique_lock lock(log.guard);
  while (log.changed.wait(lock, stop, [] { return log.pending > 0; })) {
    log.written += log.pending;
    log.pending = 0;
  }
  log.ended = true;
}

std::jthread writer(write_lines);

}  // namespace

int main() {
  for (int i = 0; i < 3; ++i) {
    std::lock_guard lock(log.guard);
    ++log.pending;
    log.changed.notify_one();
  }
  return 0;
}
