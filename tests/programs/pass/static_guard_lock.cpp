// SPDX-License-Identifier: Apache-2.0
// Fixed: the static is initialised before the lock is taken.
#include <mutex>
#include <thread>

namespace {

std::mutex log_guard;
int lines = 0;

int read_settings() {
  std::lock_guard lock(log_guard);
  lines += 1;
  return 42;
}

int settings() {
  static const int value = read_settings();
  return value;
}

void start() { settings(); }

void log() {
  const int value = settings();
  std::lock_guard lock(log_guard);
  lines += value;
}

}  // namespace

int main() {
  std::thread first(start);
  std::thread second(log);
  first.join();
  second.join();
  return lines == 43 ? 0 : 1;
}
