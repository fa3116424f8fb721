// SPDX-License-Identifier: Apache-2.0
// Bug: a wait takes its mutex back while the thread holds another lock.
// EXPECT: kind=deadlock within=20 message~"`log_lock`" stack=consume
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex queue_lock;
std::mutex log_lock;
std::condition_variable filled;
int queued = 0;
int lines = 0;

void consume() {
  std::unique_lock queue(queue_lock);
  std::unique_lock log(log_lock);
  ++lines;
  while (queued == 0) filled.wait(queue);
  --queued;
}

void produce() {
  {
    std::lock_guard queue(queue_lock);
    ++queued;
    filled.notify_one();
  }
  std::lock_guard queue(queue_lock);
  std::lock_guard log(log_lock);
  ++lines;
}

}  // namespace

int main() {
  std::thread consumer(consume);
  std::thread producer(produce);
  consumer.join();
  producer.join();
  return queued == 0 && lines == 2 ? 0 : 1;
}
