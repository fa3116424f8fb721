// SPDX-License-Identifier: Apache-2.0
//
// A circuit breaker that is half open lets one call through as a probe and refuses the others until
// the probe has come back. A test of bench/sleeps.
#include <mutex>

#include "sleeps.h"

class CircuitBreaker {
 public:
  enum class Answer { ok, failed, refused };

  template <class Request>
  Answer call(Request request) {
    {
      std::lock_guard lock(mutex_);
      if (open_ && probing_) return Answer::refused;
      if (open_) probing_ = true;
    }
    const bool good = request();
    std::lock_guard lock(mutex_);
    probing_ = false;
    open_ = !good;
    return good ? Answer::ok : Answer::failed;
  }

 private:
  std::mutex mutex_;
  bool open_ = false;
  bool probing_ = false;
};

SCHEDULE("probing -> callingMeanwhile, calledMeanwhile -> probed, end@prober -> callingLater")

void test() {
  using Answer = CircuitBreaker::Answer;
  CircuitBreaker breaker;
  CHECK(breaker.call([] { return false; }) == Answer::failed);
  std::thread prober([&] {
    raddle::name_thread("prober");
    const Answer answer = breaker.call([] {
      RADDLE_EVENT("probing");
      SLEEP(15);  // another call comes
      RADDLE_EVENT("probed");
      return true;
    });
    CHECK(answer == Answer::ok);
  });
  SLEEP(5);  // the probe is under way
  RADDLE_EVENT("callingMeanwhile");
  CHECK(breaker.call([] { return true; }) == Answer::refused);
  RADDLE_EVENT("calledMeanwhile");
  SLEEP(15);  // it has come back
  RADDLE_EVENT("callingLater");
  CHECK(breaker.call([] { return true; }) == Answer::ok);
  prober.join();
}
