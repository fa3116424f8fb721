// SPDX-License-Identifier: Apache-2.0
// boost::lockfree::queue and stack used as they are meant to be, in the program under test: two
// threads push and pop each; nothing is lost and nothing comes twice. Nodes are recycled by a free
// list, whose tagged pointers are what protects against the ABA problem.
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

namespace {

constexpr int kEach = 3;

boost::lockfree::queue<int> queue(2);
boost::lockfree::stack<int> stack(2);

int work(int first) {
  int sum = 0;
  for (int i = 0; i < kEach; ++i) {
    queue.push(first + i);
    stack.push(first + i);
    int value = 0;
    if (queue.pop(value)) sum += value;
    if (stack.pop(value)) sum += value;
  }
  return sum;
}

}  // namespace

int main() {
  int sums[2] = {};
  std::thread a([&] { sums[0] = work(1); }), b([&] { sums[1] = work(1 + kEach); });
  a.join();
  b.join();
  int rest = 0;
  for (int value; queue.pop(value);) rest += value;
  for (int value; stack.pop(value);) rest += value;
  assert(sums[0] + sums[1] + rest == 2 * kEach * (2 * kEach + 1));
}
