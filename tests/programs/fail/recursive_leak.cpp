// SPDX-License-Identifier: Apache-2.0
// Bug: the early return of a re-entered recursive mutex forgets one unlock.
// EXPECT: kind=deadlock within=200 stack=stop
#include <mutex>
#include <thread>

namespace {

std::recursive_mutex guard;
bool stopping = false;
int jobs = 0;

void run_job() {
  guard.lock();
  if (stopping) return;
  jobs += 1;
  guard.unlock();
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
