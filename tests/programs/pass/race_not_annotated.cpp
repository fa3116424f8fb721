// SPDX-License-Identifier: Apache-2.0
// Fixed: annotations say what orders the two (the program knows better).
// SCHEDULES: 500
#include <atomic>
#include <thread>

extern "C" {
void AnnotateHappensBefore(const char* file, int line, const volatile void* address);
void AnnotateHappensAfter(const char* file, int line, const volatile void* address);
}

namespace {

std::atomic<bool> sent{false};
int letter = 0;

void first() {
  letter = 3;
  AnnotateHappensBefore(__FILE__, __LINE__, &sent);
  sent.store(true, std::memory_order_relaxed);
}

void second() {
  if (!sent.load(std::memory_order_relaxed)) return;
  AnnotateHappensAfter(__FILE__, __LINE__, &sent);
  if (letter != 3) __builtin_trap();
}

}  // namespace

int main() {
  std::thread one(first), two(second);
  one.join();
  two.join();
  AnnotateHappensBefore(__FILE__, __LINE__, &letter);
  AnnotateHappensAfter(__FILE__, __LINE__, &letter);
  return 0;
}
