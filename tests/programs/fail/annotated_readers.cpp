// SPDX-License-Identifier: Apache-2.0
// Bug: a thread reads under a lock that a writer has, by its annotations.
// EXPECT: kind=sync-misuse within=200 message~"locks for reading `guard`, which T"
#include <atomic>
#include <thread>

extern "C" {
void AnnotateRWLockAcquired(const char*, int, const volatile void*, long);
void AnnotateRWLockReleased(const char*, int, const volatile void*, long);
}

std::atomic<int> guard{0};  // -1: a writer, else the number of readers
int data = 0;

void change() {
  for (int nobody = 0; !guard.compare_exchange_weak(nobody, -1, std::memory_order_relaxed);
       nobody = 0)
    std::this_thread::yield();
  AnnotateRWLockAcquired(__FILE__, __LINE__, &guard, 1);
  ++data;
  AnnotateRWLockReleased(__FILE__, __LINE__, &guard, 1);
  guard.store(0, std::memory_order_relaxed);
}

int look() {
  int readers = guard.load(std::memory_order_relaxed);
  do {
    while (readers < -1) {
      std::this_thread::yield();
      readers = guard.load(std::memory_order_relaxed);
    }
  } while (!guard.compare_exchange_weak(readers, readers + 1, std::memory_order_relaxed));
  AnnotateRWLockAcquired(__FILE__, __LINE__, &guard, 0);
  int seen = data;
  AnnotateRWLockReleased(__FILE__, __LINE__, &guard, 0);
  guard.fetch_sub(1, std::memory_order_relaxed);
  return seen;
}

int main() {
  std::thread a(change), b(look), c(look);
  a.join();
  b.join();
  c.join();
}
