// SPDX-License-Identifier: Apache-2.0
//
// Waiting with a deadline. Engine side.
#include "launch/watchdog.h"

#include <poll.h>
#include <signal.h>

namespace raddle::launch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How long the runtime may take to write down what every thread was doing.
constexpr milliseconds kLastWords{1000};
// After SIGKILL only the kernel can be in the way.
constexpr milliseconds kBurial{5000};
// How long a run that is under way may take to its end after the first interrupt: whoever sends
// SIGTERM waits a few seconds before SIGKILL, and a result has to be written by then.
constexpr milliseconds kPatience{1000};

enum class Slice { ready, deadline, interrupted };

Slice wait_until(RunArea& area, int fd, const ExecutorOptions& options,
                 std::optional<Clock::time_point> deadline) {
  milliseconds sleep = milliseconds(5);
  std::optional<Clock::time_point> patience;
  while (true) {
    pollfd entry = {fd, POLLIN, 0};
    if (poll(&entry, 1, static_cast<int>(sleep.count())) > 0) return Slice::ready;
    if (interrupted(options)) return Slice::interrupted;
    if (options.interrupts != nullptr && *options.interrupts > 0) {
      if (!patience) patience = Clock::now() + kPatience;
      if (Clock::now() >= *patience) return Slice::interrupted;
    }
    if (deadline && Clock::now() >= *deadline) return Slice::deadline;
    sleep = area.drain();
  }
}

}  // namespace

bool interrupted(const ExecutorOptions& options) {
  return options.interrupts != nullptr && *options.interrupts >= 2;
}

WaitEnd await_end(RunArea& area, int fd, const ExecutorOptions& options,
                  const std::function<pid_t()>& find_process, Clock::time_point begin) {
  std::optional<Clock::time_point> deadline;
  if (options.run_timeout.count() > 0) deadline = begin + options.run_timeout;
  switch (wait_until(area, fd, options, deadline)) {
    case Slice::ready:
      return WaitEnd::ended;
    case Slice::interrupted:
      return WaitEnd::interrupted;
    case Slice::deadline:
      break;
  }
  pid_t process = find_process();
  if (process <= 0) return WaitEnd::stuck;
  // The runtime answers this signal with a verdict; a program that blocks it gets the next one.
  kill(process, SIGRTMAX - 2);
  Slice last_words = wait_until(area, fd, options, Clock::now() + kLastWords);
  if (last_words == Slice::deadline) {
    kill(process, SIGKILL);
    last_words = wait_until(area, fd, options, Clock::now() + kBurial);
  }
  if (last_words == Slice::interrupted) return WaitEnd::interrupted;
  return last_words == Slice::ready ? WaitEnd::timed_out : WaitEnd::stuck;
}

}  // namespace raddle::launch
