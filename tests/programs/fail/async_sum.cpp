// SPDX-License-Identifier: Apache-2.0
// Bug: the tasks of std::async add to one plain total, so a part of the sum can be lost.
// ARGS: 20 22
// EXPECT: kind=exit-code within=200 message~"5"
#include <cstdlib>
#include <future>

namespace {

int total = 0;

void add(int part) { total += part; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::future<void> first = std::async(std::launch::async, add, std::atoi(argv[1]));
  std::future<void> second = std::async(std::launch::async, add, std::atoi(argv[2]));
  first.get();
  second.get();
  return total == 42 ? 0 : 5;
}
