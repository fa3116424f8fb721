// SPDX-License-Identifier: Apache-2.0
// Fixed: condition_variable_any waits for the stop token too.
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace {

std::mutex guard;
std::condition_variable_any changed;

void work(std::stop_token stop) {
  std::unique_lock lock(guard);
  changed.wait(lock, stop, [] { return false; });
}

}  // namespace

int main() {
  std::jthread worker(work);
  worker.request_stop();
}
