// SPDX-License-Identifier: Apache-2.0
//
// Fails unless its standard input is there from the beginning, in every run.
#include <atomic>
#include <iostream>
#include <string>
#include <thread>

int main() {
  std::atomic<int> sum{0};
  std::thread other([&] { ++sum; });
  ++sum;
  std::string line;
  bool first = bool(std::getline(std::cin, line)) && line == "some words";
  other.join();
  return first ? 0 : 1;
}
