// SPDX-License-Identifier: Apache-2.0
// Who has locked the annotated lock unlocks it.
#include <sanitizer/tsan_interface.h>

#include <atomic>
#include <thread>

// A lock of the program's own making, with a plain variable that only its holder should touch.
class Spinlock {
 public:
  Spinlock() { __tsan_mutex_create(this, __tsan_mutex_not_static); }
  ~Spinlock() { __tsan_mutex_destroy(this, __tsan_mutex_not_static); }
  void lock() {
    __tsan_mutex_pre_lock(this, 0);
    while (taken_.exchange(true, std::memory_order_relaxed)) std::this_thread::yield();
    __tsan_mutex_post_lock(this, 0, 0);
  }
  void unlock() {
    __tsan_mutex_pre_unlock(this, 0);
    taken_.store(false, std::memory_order_relaxed);
    __tsan_mutex_post_unlock(this, 0);
  }

 private:
  std::atomic<bool> taken_{false};
};

Spinlock guard;
int total = 0;

void work() {
  guard.lock();
  ++total;
  guard.unlock();
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  return total == 2 ? 0 : 1;
}
