// SPDX-License-Identifier: Apache-2.0
// Bug: what the lock orders is to be ignored, so nothing orders the accesses.
// EXPECT: kind=data-race within=20 message~"on `data`"
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
  AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  guard.lock();
  ++data;
  guard.unlock();
  statistics.fetch_add(1);
  AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
}
