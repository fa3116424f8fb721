// SPDX-License-Identifier: Apache-2.0
// Exceptions: through futures, thrown and rethrown while other threads run, a call_once that
// throws.
#include <atomic>
#include <cassert>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

std::once_flag once;
std::atomic<int> attempts{0};
std::atomic<int> switches{0};

void try_once() {
  try {
    std::call_once(once, [] {
      if (attempts.fetch_add(1) == 0) throw std::runtime_error("first attempt");
    });
  } catch (const std::runtime_error& error) {
    assert(std::string("first attempt") == error.what());
  }
}

// The thread is switched away from inside a catch block: what is being handled is per thread.
void nested(const char* name) {
  try {
    try {
      throw std::invalid_argument(name);
    } catch (...) {
      switches.fetch_add(1);
      assert(std::uncaught_exceptions() == 0);
      std::this_thread::yield();
      throw;
    }
  } catch (const std::exception& error) {
    switches.fetch_add(1);
    assert(std::string(name) == error.what());
  }
}

int fail() { throw std::out_of_range("from the task"); }

}  // namespace

int main() {
  std::future<int> failed = std::async(std::launch::async, fail);
  std::thread first([] { nested("first"), try_once(); });
  std::thread second([] { nested("second"), try_once(); });
  first.join();
  second.join();
  try_once();
  assert(attempts.load() == 2 && switches.load() == 4);
  bool caught = false;
  try {
    failed.get();
  } catch (const std::out_of_range&) {
    caught = true;
  }
  return caught ? 0 : 1;
}
