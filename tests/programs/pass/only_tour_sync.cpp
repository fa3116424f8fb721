// SPDX-License-Identifier: Apache-2.0
// A tour of the C++20 synchronisation classes, in one program with three threads.
#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

namespace {

std::latch ready{2};
std::atomic<int> completions{0};
void count_phase() noexcept { completions.fetch_add(1); }
std::barrier phase{2, count_phase};
std::counting_semaphore<4> permits{2};
std::shared_timed_mutex table_guard;
std::condition_variable_any table_changed;
int table = 0;
std::atomic<int> turn{0};
std::atomic_flag lamp;

void worker(int me) {
  ready.arrive_and_wait();
  permits.acquire();
  {
    std::unique_lock lock(table_guard);
    table += 1;
    table_changed.notify_all();
  }
  permits.release();
  phase.arrive_and_wait();
  {
    std::shared_lock lock(table_guard);
    assert(table == 2);
  }
  turn.wait(1 - me);  // 0 goes when the turn is not 1, and so on
  turn.store(1 - me);
  turn.notify_all();
  lamp.wait(false);
}

}  // namespace

int main() {
  std::thread first(worker, 0);
  std::thread second(worker, 1);
  {
    std::shared_lock lock(table_guard);
    table_changed.wait(lock, [] { return table == 2; });
  }
  lamp.test_and_set();
  lamp.notify_all();
  first.join();
  second.join();
  assert(permits.try_acquire());
  assert(table_guard.try_lock_shared());
  table_guard.unlock_shared();
  return completions.load() == 1 ? 0 : 1;
}
