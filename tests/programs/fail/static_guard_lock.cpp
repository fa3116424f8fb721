// SPDX-License-Identifier: Apache-2.0
// Bug: a local static's initialiser takes a lock that another caller holds while it waits for it.
// EXPECT: kind=deadlock within=50 stack=settings
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
  std::lock_guard lock(log_guard);
  lines += settings();
}

}  // namespace

int main() {
  std::thread first(start);
  std::thread second(log);
  first.join();
  second.join();
  return lines == 43 ? 0 : 1;
}
