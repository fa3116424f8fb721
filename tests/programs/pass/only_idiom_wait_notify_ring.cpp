// SPDX-License-Identifier: Apache-2.0
// A token goes round by atomic wait and notify; words of one byte share the waiting of a wide one.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

namespace {

constexpr int kThreads = 3;
std::array<std::atomic<unsigned char>, kThreads> mine{};
std::atomic<long> rounds{0};
int token = 0;

void run(int me) {
  for (int i = 0; i < 2; ++i) {
    mine[me].wait(0);
    mine[me].store(0);
    ++token;  // only the holder of the token touches it
    int next = (me + 1) % kThreads;
    if (next == 0) {
      rounds.fetch_add(1);
      rounds.notify_all();
    }
    mine[next].store(1);
    mine[next].notify_one();
  }
}

}  // namespace

int main() {
  std::thread threads[] = {std::thread(run, 0), std::thread(run, 1), std::thread(run, 2)};
  mine[0].store(1);
  mine[0].notify_one();
  for (long seen = rounds.load(); seen < 2; seen = rounds.load()) rounds.wait(seen);
  for (auto& thread : threads) thread.join();
  assert(token == 6 && mine[0].load() == 1);
  return 0;
}
