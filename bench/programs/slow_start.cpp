// SPDX-License-Identifier: Apache-2.0
//
// A program that gets ready for START milliseconds of real time before it starts its first thread:
// 1,000 objects on the heap are worked on until the time is over. Then two threads take a lock four
// times each, and work for TURN milliseconds every time.
//
// usage: slow_start START [TURN]
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

// What the clock functions say is not real time here.
double real_ms() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

std::mutex lock;
std::vector<std::unique_ptr<unsigned>> objects;
unsigned total;
double turn_ms;

// The complement of the complement: how often must not matter.
void pass_time(double ms, unsigned first, unsigned last) {
  double end = real_ms() + ms;
  do
    for (unsigned i = first; i < last; ++i) *objects[i] = ~*objects[i], *objects[i] = ~*objects[i];
  while (real_ms() < end);
}

void work(unsigned first) {
  for (unsigned i = 0; i < 4; ++i) {
    if (turn_ms > 0) pass_time(turn_ms, first, first + 4);
    std::lock_guard<std::mutex> guard(lock);
    total += *objects[first + i];
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (unsigned i = 0; i < 1000; ++i) objects.push_back(std::make_unique<unsigned>(i));
  pass_time(argc > 1 ? atof(argv[1]) : 0, 0, 1000);
  turn_ms = argc > 2 ? atof(argv[2]) : 0;
  std::thread one(work, 0u), two(work, 500u);
  one.join();
  two.join();
  return total == 0;
}
