// SPDX-License-Identifier: Apache-2.0
// Fixed: the flag is tested and set at once.
// SCHEDULES: 500
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

namespace {

struct Message {
  static void* operator new(std::size_t size) {
    void* block = std::malloc(size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  static void operator delete(void* block) { std::free(block); }
  int body = 1;
};
Message* message = nullptr;
std::atomic<bool> taken{false};

void take() {
  if (taken.exchange(true)) return;
  delete message;
}

}  // namespace

int main() {
  message = new Message;
  std::thread one(take), two(take);
  one.join();
  two.join();
  return 0;
}
