// SPDX-License-Identifier: Apache-2.0
// A mutex for coroutines: who waits is kept on a lock-free list of awaiters that lie in the
// coroutines' frames; the unlocking thread resumes the next one.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <coroutine>
#include <exception>
#include <thread>

namespace {

struct Awaiter;
std::atomic<Awaiter*> waiting{nullptr};  // null: free; the mark: held, nobody waits
alignas(8) char mark_memory[8];
Awaiter* mark() { return reinterpret_cast<Awaiter*>(mark_memory); }

struct Awaiter {
  std::coroutine_handle<> handle;
  Awaiter* next = nullptr;
  bool await_ready() {
    Awaiter* nobody = nullptr;
    return waiting.compare_exchange_strong(nobody, mark());
  }
  // Not inlined: once it is on the list, another thread may free the frame.
  [[gnu::noinline]] bool await_suspend(std::coroutine_handle<> self) {
    handle = self;
    Awaiter* seen = waiting.load();
    while (true) {
      next = seen;
      bool is_free = seen == nullptr;
      if (waiting.compare_exchange_weak(seen, is_free ? mark() : this)) return !is_free;
    }
  }
  void await_resume() {}
};

void unlock() {
  Awaiter* held = mark();
  if (waiting.compare_exchange_strong(held, nullptr)) return;
  while (!waiting.compare_exchange_weak(held, held->next)) {
  }
  held->handle.resume();  // it holds the lock now
}

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

int counter = 0;
std::atomic<int> finished{0};

Task add(int amount) {
  co_await Awaiter{};
  int before = counter;
  counter = before + amount;
  unlock();
  finished.fetch_add(1);
}

}  // namespace

int main() {
  std::thread first(add, 1);
  std::thread second(add, 2);
  std::thread third(add, 4);
  add(8);
  first.join();
  second.join();
  third.join();
  assert(finished.load() == 4 && counter == 15 && waiting.load() == nullptr);
  return 0;
}
