// SPDX-License-Identifier: Apache-2.0
// stop_callback: run once by whoever asks for the stop, or at once if it comes too late; its
// destructor waits for a call that runs in another thread.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

namespace {

std::stop_source source;

void one_round() {
  std::atomic<int> calls{0};
  int plain = 0;
  std::thread first([&] {
    std::optional<std::stop_callback<std::function<void()>>> callback;
    callback.emplace(source.get_token(), [&] {
      plain = 1;
      calls.fetch_add(1);
    });
    while (!source.stop_requested()) std::this_thread::yield();
    callback.reset();  // the call is over, or will never come
    assert(calls.load() == 1 ? plain == 1 : plain == 0);
  });
  std::thread second([&] { source.request_stop(); });
  source.request_stop();
  second.join();
  first.join();
  assert(!source.request_stop() && calls.load() <= 1);
  std::stop_callback late(source.get_token(), [&] { calls.store(7); });
  assert(calls.load() == 7);
}

}  // namespace

int main() {
  one_round();
  std::stop_token nobody;
  assert(!nobody.stop_possible());
  return 0;
}
