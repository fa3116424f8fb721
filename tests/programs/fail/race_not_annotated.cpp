// SPDX-License-Identifier: Apache-2.0
// Bug: relaxed atomics hand the letter over, and nothing says that this is enough.
// EXPECT: kind=data-race within=100 message~"on `letter`"
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
  sent.store(true, std::memory_order_relaxed);
}

void second() {
  if (!sent.load(std::memory_order_relaxed)) return;
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
