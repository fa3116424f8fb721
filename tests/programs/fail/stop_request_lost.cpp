// SPDX-License-Identifier: Apache-2.0
// Bug: the stop request comes between the worker's check and its wait, and wakes nobody.
// EXPECT: kind=deadlock within=500 stack=work
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace {

std::mutex guard;
std::condition_variable changed;

void work(std::stop_token stop) {
  std::unique_lock lock(guard);
  while (!stop.stop_requested()) changed.wait(lock);
}

}  // namespace

int main() {
  std::jthread worker(work);
  worker.request_stop();
  changed.notify_all();
}
