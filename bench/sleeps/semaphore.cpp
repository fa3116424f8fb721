// SPDX-License-Identifier: Apache-2.0
//
// A counting semaphore: who finds no permit waits until one is released, and is served.
// A test of bench/sleeps.
#include <semaphore.h>

#include "sleeps.h"

class Semaphore {
 public:
  explicit Semaphore(unsigned permits) { sem_init(&semaphore_, 0, permits); }
  ~Semaphore() { sem_destroy(&semaphore_); }
  void acquire() { sem_wait(&semaphore_); }
  bool try_acquire() { return sem_trywait(&semaphore_) == 0; }
  void release() { sem_post(&semaphore_); }

 private:
  sem_t semaphore_;
};

SCHEDULE("acquired1 -> acquiring2, [acquiring2] -> looking, acquired2 -> lookingAgain")

void test() {
  Semaphore permits(1);
  std::atomic<int> inside{0};
  std::thread first([&] {
    permits.acquire();
    ++inside;
    RADDLE_EVENT("acquired1");
  });
  std::thread second([&] {
    SLEEP(10);  // first has the permit
    RADDLE_EVENT("acquiring2");
    permits.acquire();
    inside += 10;
    RADDLE_EVENT("acquired2");
  });
  SLEEP(20);
  RADDLE_EVENT("looking");
  CHECK(inside == 1);
  CHECK(!permits.try_acquire());
  permits.release();
  SLEEP(10);
  RADDLE_EVENT("lookingAgain");
  CHECK(inside == 11);
  first.join();
  second.join();
}
