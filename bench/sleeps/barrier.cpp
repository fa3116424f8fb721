// SPDX-License-Identifier: Apache-2.0
//
// A barrier for three: two who have arrived stay until the third comes.
// A test of bench/sleeps.
#include <pthread.h>

#include "sleeps.h"

class Barrier {
 public:
  explicit Barrier(unsigned count) { pthread_barrier_init(&barrier_, nullptr, count); }
  ~Barrier() { pthread_barrier_destroy(&barrier_); }
  void arrive_and_wait() { pthread_barrier_wait(&barrier_); }

 private:
  pthread_barrier_t barrier_;
};

SCHEDULE("[arriving1] && [arriving2] -> lookingEarly, passed1 && passed2 -> lookingLate")

void test() {
  Barrier barrier(3);
  std::atomic<int> arrived{0};
  std::atomic<int> passed{0};
  std::thread first([&] {
    ++arrived;
    RADDLE_EVENT("arriving1");
    barrier.arrive_and_wait();
    ++passed;
    RADDLE_EVENT("passed1");
  });
  std::thread second([&] {
    ++arrived;
    RADDLE_EVENT("arriving2");
    barrier.arrive_and_wait();
    ++passed;
    RADDLE_EVENT("passed2");
  });
  SLEEP(10);
  RADDLE_EVENT("lookingEarly");
  CHECK(arrived == 2);
  CHECK(passed == 0);
  barrier.arrive_and_wait();
  SLEEP(10);
  RADDLE_EVENT("lookingLate");
  CHECK(passed == 2);
  first.join();
  second.join();
}
