// SPDX-License-Identifier: Apache-2.0
//
// Fetching once for all who ask at the same time: whoever comes while a fetch is under way waits
// for its result; whoever comes later fetches anew. A test of bench/sleeps.
#include <condition_variable>
#include <mutex>

#include "sleeps.h"

class SingleFlight {
 public:
  template <class Fetch>
  int get(Fetch fetch) {
    std::unique_lock lock(mutex_);
    if (in_flight_) {
      ++shared_;
      const int flight = flight_;
      landed_.wait(lock, [&] { return flight != flight_; });
      return result_;
    }
    in_flight_ = true;
    lock.unlock();
    const int fetched = fetch();
    lock.lock();
    result_ = fetched;
    in_flight_ = false;
    ++flight_;
    landed_.notify_all();
    return fetched;
  }
  int shared() const { return shared_; }

 private:
  std::mutex mutex_;
  std::condition_variable landed_;
  bool in_flight_ = false;
  int flight_ = 0;
  int result_ = 0;
  int shared_ = 0;
};

SCHEDULE("fetching -> joining1, fetching -> joining2, [joining1] && [joining2] -> fetched")

void test() {
  SingleFlight flight;
  std::atomic<int> fetches{0};
  int got[3] = {};
  std::thread first([&] {
    got[0] = flight.get([&] {
      RADDLE_EVENT("fetching");
      SLEEP(30);  // two others ask
      RADDLE_EVENT("fetched");
      return ++fetches;
    });
  });
  std::thread second([&] {
    SLEEP(10);  // the fetch is under way
    RADDLE_EVENT("joining1");
    got[1] = flight.get([&] { return ++fetches; });
  });
  std::thread third([&] {
    SLEEP(10);
    RADDLE_EVENT("joining2");
    got[2] = flight.get([&] { return ++fetches; });
  });
  first.join();
  second.join();
  third.join();
  CHECK(got[0] == 1 && got[1] == 1 && got[2] == 1);
  CHECK(flight.shared() == 2);
  CHECK(flight.get([&] { return ++fetches; }) == 2);
}
