// SPDX-License-Identifier: Apache-2.0
// What the code of an annotated lock does by itself is not looked at: a ticket lock whose tickets
// are plain counts, and statistics that nobody protects.
// SCHEDULES: 50
#include <sanitizer/tsan_interface.h>

#include <atomic>
#include <thread>

struct TicketLock {
  std::atomic<int> next{0}, serving{0};
  int attempts = 0;  // a rough number, counted before the lock is there

  bool try_lock() {
    __tsan_mutex_pre_lock(this, __tsan_mutex_try_lock);
    ++attempts;
    int mine = serving.load(std::memory_order_relaxed);
    bool got = next.compare_exchange_strong(mine, mine + 1, std::memory_order_relaxed);
    __tsan_mutex_post_lock(this, __tsan_mutex_try_lock | (got ? 0 : __tsan_mutex_try_lock_failed),
                           0);
    return got;
  }
  void lock() {
    __tsan_mutex_pre_lock(this, __tsan_mutex_linker_init);
    ++attempts;
    int mine = next.fetch_add(1, std::memory_order_relaxed);
    while (serving.load(std::memory_order_relaxed) != mine) {
      __tsan_mutex_pre_divert(this, 0);
      std::this_thread::yield();
      __tsan_mutex_post_divert(this, 0);
    }
    __tsan_mutex_post_lock(this, 0, 0);
  }
  void unlock() {
    __tsan_mutex_pre_unlock(this, 0);
    serving.store(serving.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    __tsan_mutex_post_unlock(this, 0);
  }
  ~TicketLock() { __tsan_mutex_destroy(this, __tsan_mutex_not_static); }
};

TicketLock guard;
int total = 0;

void work() {
  if (!guard.try_lock()) guard.lock();
  ++total;
  guard.unlock();
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  return total == 2 ? 0 : 1;
}
