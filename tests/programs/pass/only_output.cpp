// SPDX-License-Identifier: Apache-2.0
// Output of several threads through iostreams and stdio, each line in one piece.
#include <cstdio>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

namespace {

std::mutex guard;

void print(int number) {
  std::ostringstream line;
  line << "thread " << number << " says " << 2.5 * number << '\n';
  {
    std::lock_guard lock(guard);
    std::cout << line.str() << std::flush;
  }
  std::printf("and %d again\n", number);
}

}  // namespace

int main() {
  std::thread first(print, 1);
  std::thread second(print, 2);
  first.join();
  second.join();
  return std::cout.good() && std::fflush(stdout) == 0 ? 0 : 1;
}
