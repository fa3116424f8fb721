// SPDX-License-Identifier: Apache-2.0
// The lock orders the accesses; only a counter beside it is ignored.
#include <atomic>
#include <mutex>
#include <thread>

extern "C" {
void AnnotateIgnoreSyncBegin(const char* file, int line);
void AnnotateIgnoreSyncEnd(const char* file, int line);
}

std::mutex guard;
std::atomic<int> statistics{0};
int data = 0;

void work() {
  guard.lock();
  ++data;
  guard.unlock();
  AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  statistics.fetch_add(1);
  AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
}
