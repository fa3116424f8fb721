// SPDX-License-Identifier: Apache-2.0
//
// What the C++ library keeps of threads: call_once, futures, detached threads, their last words.
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "fresh.h"

namespace {

std::once_flag once;
int calls;
std::mutex mutex;
std::condition_variable condition;
std::future<int> kept;
std::promise<int> promised;
void look() {
  std::call_once(once, [] { ++calls; });
  FRESH(calls == 1 && !kept.valid());
  FRESH(mutex.try_lock());
  mutex.unlock();
}
void leave(int order) {
  kept = promised.get_future();
  std::thread([order] {
    std::unique_lock hold(mutex);
    std::notify_all_at_thread_exit(condition, std::move(hold));
    promised.set_value_at_thread_exit(order);
  }).detach();
  auto soon = std::async(std::launch::async, [] { return 5; });
  FRESH(soon.get() == 5);
  std::jthread waits([](std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
  });
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
