// SPDX-License-Identifier: Apache-2.0
// Two threads set a flag; nothing is wrong with that but for those who think so. With `check` as
// its argument it is a unit test, in process.
#include <raddle/check.h>

#include <atomic>
#include <cstring>
#include <iostream>
#include <thread>

namespace {

std::atomic<int> flag;

void set() { flag.store(1); }

void body() {
  std::thread first(set), second(set);
  first.join();
  second.join();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1 || std::strcmp(argv[1], "check") != 0) {
    body();
    return 0;
  }
  raddle::Result result = raddle::check(body);
  std::cout << result;
  return result.passed() ? 0 : 1;
}
