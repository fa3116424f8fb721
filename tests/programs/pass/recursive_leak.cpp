// SPDX-License-Identifier: Apache-2.0
// Fixed: a guard object unlocks on every path.
#include <mutex>
#include <thread>

namespace {

std::recursive_mutex guard;
bool stopping = false;
int jobs = 0;

void run_job() {
  std::lock_guard lock(guard);
  if (stopping) return;
  jobs += 1;
}

void work() {
  std::lock_guard lock(guard);
  run_job();
}

void stop() {
  for (int i = 0; i < 2; ++i) {
    std::lock_guard lock(guard);
    stopping = true;
  }
}

}  // namespace

int main() {
  std::thread worker(work);
  std::thread stopper(stop);
  worker.join();
  stopper.join();
}
