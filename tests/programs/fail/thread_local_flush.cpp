// SPDX-License-Identifier: Apache-2.0
// Bug: main reads the total when the worker says it is done, not when its thread_local is flushed.
// EXPECT: kind=exit-code within=100
#include <atomic>
#include <semaphore>
#include <thread>

namespace {

std::atomic<int> total{0};
std::binary_semaphore done{0};

struct Tally {
  int count = 0;
  ~Tally() { total.fetch_add(count); }
};

thread_local Tally tally;

void work() {
  tally.count = 3;
  done.release();
}

}  // namespace

int main() {
  std::thread worker(work);
  done.acquire();
  const int seen = total.load();
  worker.join();
  return seen == 3 ? 0 : 1;
}
