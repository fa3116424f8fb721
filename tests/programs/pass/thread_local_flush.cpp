// SPDX-License-Identifier: Apache-2.0
// Fixed: main reads the total after the join, when the destructors of the thread have run.
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
  worker.join();
  return total.load() == 3 ? 0 : 1;
}
