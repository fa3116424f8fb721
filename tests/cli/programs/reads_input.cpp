// SPDX-License-Identifier: Apache-2.0
//
// Fails unless its standard input is there from the beginning, in every run; or, with a number, the
// inherited file of that number.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <thread>

int main(int argc, char** argv) {
  std::atomic<int> sum{0};
  std::thread other([&] { ++sum; });
  ++sum;
  bool first = false;
  if (argc > 1) {
    char words[10];
    first = read(atoi(argv[1]), words, 10) == 10 && memcmp(words, "some words", 10) == 0;
  } else {
    std::string line;
    first = bool(std::getline(std::cin, line)) && line == "some words";
  }
  other.join();
  return first ? 0 : 1;
}
