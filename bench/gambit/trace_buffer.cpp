// SPDX-License-Identifier: Apache-2.0
//
// A buffer of trace records: who does not get its lock at once writes into the spare buffer
// instead, which whoever has the lock appends later. The bug: two threads that do not get it both
// write into the spare one, which has no lock. A test of bench/gambit.
#include <mutex>
#include <vector>

#include "gambit.h"

namespace {

template <bool fixed>
class TraceBuffer {
 public:
  void add(int record) {
    if (lock_.try_lock()) {
      records_.push_back(record);
      lock_.unlock();
      return;
    }
    std::unique_lock<std::mutex> hold(spare_lock_, std::defer_lock);
    if (fixed) hold.lock();
    spare_[used_++ % 8] = record;
  }
  int count() {
    std::lock_guard<std::mutex> hold(lock_);
    return static_cast<int>(records_.size()) + used_;
  }

 private:
  std::mutex lock_, spare_lock_;
  std::vector<int> records_;
  int spare_[8] = {};
  int used_ = 0;
};

template <bool fixed>
void test() {
  TraceBuffer<fixed> buffer;
  auto work = [&] {
    for (int i = 0; i < 2; ++i) buffer.add(i);
  };
  gambit::Thread one(work);
  gambit::Thread two(work);
  work();
  one.join();
  two.join();
  RADDLE_ASSERT(buffer.count() == 6);
}

}  // namespace

const gambit::Test gambit::trace_buffer{"trace_buffer", "data-race", "the spare buffer has no lock",
                                        test<false>, test<true>};
