// SPDX-License-Identifier: Apache-2.0
// THREADS threads making TURNS atomic increments (or yields) each: what a point and a switch cost.
#include <sched.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

static std::atomic<long> counter;

int main(int, char** argv) {
  int threads = atoi(argv[1]);
  long turns = atol(argv[2]);
  bool yields = strcmp(argv[3], "yield") == 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([=] {
      for (long i = 0; i < turns; ++i)
        if (yields)
          sched_yield();
        else
          counter.fetch_add(1);
    });
  for (auto& thread : all) thread.join();
}
