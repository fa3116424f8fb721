// SPDX-License-Identifier: Apache-2.0
// A monitor with a recursive mutex whose methods call each other; condition_variable_any waits
// with it when it is held once.
// SCHEDULES: 20
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Stack {
 public:
  void push(int value) {
    std::lock_guard lock(guard_);
    values_.push_back(value);
    changed_.notify_one();
  }
  void push_pair(int value) {
    std::lock_guard lock(guard_);
    push(value);
    assert(size() >= 1);
    push(-value);
  }
  std::pair<int, int> pop_pair() {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [this] { return size() >= 2; });
    return {pop(), pop()};
  }
  std::size_t size() const {
    std::lock_guard lock(guard_);
    return values_.size();
  }

 private:
  int pop() {
    std::lock_guard lock(guard_);
    int value = values_.back();
    values_.pop_back();
    return value;
  }

  mutable std::recursive_mutex guard_;
  std::condition_variable_any changed_;
  std::vector<int> values_;
};

}  // namespace

int main() {
  Stack stack;
  auto take = [&stack] {
    auto [second, first] = stack.pop_pair();
    assert(first + second == 0 && first > 0);
  };
  std::thread first(take);
  std::thread second(take);
  stack.push_pair(3);
  stack.push_pair(5);
  first.join();
  second.join();
  assert(stack.size() == 0);
  return 0;
}
