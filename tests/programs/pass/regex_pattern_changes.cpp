// SPDX-License-Identifier: Apache-2.0
// A lock keeps the pattern while it is read.
// SCHEDULES: 50
#include <mutex>
#include <regex>
#include <string>
#include <thread>

std::mutex guard;
std::string pattern = "a+";

void change() {
  std::lock_guard hold(guard);
  pattern[1] = '*';
}

void compile() {
  std::lock_guard hold(guard);
  std::regex made(pattern);
}

int main() {
  std::thread a(change), b(compile);
  a.join();
  b.join();
}
