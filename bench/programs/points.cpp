// SPDX-License-Identifier: Apache-2.0
// THREADS threads making TURNS atomic increments each: what a point and a switch cost.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

static std::atomic<long> counter;

int main(int, char** argv) {
  int threads = atoi(argv[1]);
  long turns = atol(argv[2]);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([=] {
      // A local that lives in a register: the loop itself is not what is measured.
      long left = turns;
      while (left-- > 0) counter.fetch_add(1);
    });
  for (auto& thread : all) thread.join();
}
