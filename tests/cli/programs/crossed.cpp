// SPDX-License-Identifier: Apache-2.0
// Two threads take two locks in opposite order, in C++ library calls that are functions of their
// own in a build without optimisation.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex a, b;
std::atomic<int> steps{0};

void left() {
  std::lock_guard<std::mutex> first(a);  // where: left holds
  steps.fetch_add(1);                    // where: left counts
  std::lock_guard<std::mutex> second(b);
}

void right() {
  std::lock_guard<std::mutex> first(b);  // where: right holds
  ++steps;
  std::lock_guard<std::mutex> second(a);
}

int main() {
  std::thread one(left), two(right);
  one.join();
  two.join();
}
