// SPDX-License-Identifier: Apache-2.0
//
// A program that gets ready for MILLISECONDS of real time before it starts its first thread: 1,000
// objects on the heap are worked on until the time is over. Then two threads take turns at a lock.
//
// usage: slow_start MILLISECONDS
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

void work(unsigned first) {
  for (unsigned i = first; i < first + 4; ++i) {
    std::lock_guard<std::mutex> guard(lock);
    total += *objects[i];
  }
}

}  // namespace

int main(int argc, char** argv) {
  double end = real_ms() + (argc > 1 ? atof(argv[1]) : 0);
  for (unsigned i = 0; i < 1000; ++i) objects.push_back(std::make_unique<unsigned>(i));
  // Twice the complement: how often must not matter.
  do
    for (auto& object : objects) *object = ~*object, *object = ~*object;
  while (real_ms() < end);
  std::thread one(work, 0u), two(work, 500u);
  one.join();
  two.join();
  return total == 0;
}
