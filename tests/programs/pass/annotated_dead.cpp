// SPDX-License-Identifier: Apache-2.0
// Nobody uses the annotated lock after its end.
#include <sanitizer/tsan_interface.h>

#include <atomic>
#include <new>
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

alignas(Spinlock) char room[sizeof(Spinlock)];

int main() {
  auto* guard = new (room) Spinlock;
  std::thread a([=] {
    guard->lock();
    guard->unlock();
  });
  a.join();
  guard->~Spinlock();
  guard = new (room) Spinlock;
  guard->lock();
  guard->unlock();
  guard->~Spinlock();
}
