// SPDX-License-Identifier: Apache-2.0
// Fixed: both threads acquire the semaphores in the same order. Not by std::binary_semaphore, which
// in libstdc++ 12 can sleep for ever by itself: acquire() may wait for a value that was read before
// it spun, and which is there again.
#include <semaphore.h>

#include <thread>

namespace {

class Semaphore {
 public:
  Semaphore() { sem_init(&semaphore_, 0, 1); }
  ~Semaphore() { sem_destroy(&semaphore_); }
  void acquire() { sem_wait(&semaphore_); }
  void release() { sem_post(&semaphore_); }

 private:
  sem_t semaphore_;
};

Semaphore scanner;
Semaphore printer;

void use_both(Semaphore& first, Semaphore& second) {
  first.acquire();
  second.acquire();
  second.release();
  first.release();
}

void copy() { use_both(scanner, printer); }
void proof() { use_both(scanner, printer); }

}  // namespace

int main() {
  std::thread first(copy);
  std::thread second(proof);
  first.join();
  second.join();
}
