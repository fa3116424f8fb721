// SPDX-License-Identifier: Apache-2.0
// Bug: two workers that both stand back for each other leave the promise without a value.
// EXPECT: kind=deadlock within=100 stack=main
#include <atomic>
#include <future>
#include <thread>

namespace {

std::promise<int> answer;
std::atomic<bool> wants[2];

void compete(int me) {
  wants[me].store(true);
  if (wants[1 - me].load()) return;  // the other one answers
  answer.set_value(me);
}

}  // namespace

int main() {
  std::future<int> result = answer.get_future();
  std::thread first(compete, 0);
  std::thread second(compete, 1);
  const int winner = result.get();
  first.join();
  second.join();
  return winner == 0 || winner == 1 ? 0 : 1;
}
