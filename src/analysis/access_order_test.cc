// SPDX-License-Identifier: Apache-2.0
//
// What orders accesses, and what locks keep out. Engine side.
#include "analysis/access_order.h"

#include <gtest/gtest.h>

#include "analysis/interleavings.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

class Ordered {
 public:
  Ordered& add(std::size_t thread, OpKind kind, std::uint32_t where = 0, std::uint64_t value = 0) {
    events_.push_back(Interleavings::event(thread, kind, where, value));
    return *this;
  }
  Ordered& access(std::size_t thread) { return add(thread, OpKind::plain_write); }
  AccessOrder order() {
    trace_.begin();
    for (const Event& event : events_) trace_.on_event(event);
    trace_.finish();
    return {trace_.accesses(), events_};
  }

 private:
  std::vector<Event> events_;
  AccessTrace trace_;
};

constexpr std::uint32_t kLock = 5, kOther = 6, kBarrier = 8;

TEST(AccessOrder, CreationAndJoinOrder) {
  Ordered run;
  run.access(0).add(0, OpKind::thread_create, 0, 1).access(0).access(1);
  run.add(0, OpKind::thread_join, 0, 1).access(0);
  AccessOrder order = run.order();  // 0 and 1 of main, 2 of T1, 3 of main
  EXPECT_TRUE(order.before(0, 2));
  EXPECT_FALSE(order.before(1, 2));
  EXPECT_FALSE(order.before(2, 1));
  EXPECT_TRUE(order.before(2, 3));
  EXPECT_FALSE(order.kept_out(1, 2, 3));
  EXPECT_TRUE(order.before(0, 1));
}

TEST(AccessOrder, BarriersOrder) {
  Ordered run;
  run.access(1).access(2).add(1, OpKind::barrier_arrive, kBarrier);
  run.add(2, OpKind::barrier_arrive, kBarrier).access(2).add(1, OpKind::barrier_leave, kBarrier);
  run.access(1);
  AccessOrder order = run.order();
  EXPECT_TRUE(order.before(0, 2));  // who arrived last knows the others
  EXPECT_TRUE(order.before(1, 3));
  EXPECT_FALSE(order.before(0, 1));
  EXPECT_FALSE(order.before(2, 3));
}

TEST(AccessOrder, ASectionKeepsOutOthersOfTheSameLock) {
  Ordered run;
  run.add(1, OpKind::mutex_lock, kLock).access(1).access(1).add(1, OpKind::mutex_unlock, kLock);
  run.add(1, OpKind::mutex_lock, kLock).access(1).add(1, OpKind::mutex_unlock, kLock);
  run.add(2, OpKind::mutex_lock, kLock).access(2).add(2, OpKind::mutex_unlock, kLock);
  run.add(2, OpKind::mutex_lock, kOther).access(2).add(2, OpKind::mutex_unlock, kOther);
  AccessOrder order = run.order();
  EXPECT_TRUE(order.kept_out(0, 3, 1));
  EXPECT_FALSE(order.kept_out(1, 3, 2));  // another section of it
  EXPECT_FALSE(order.kept_out(0, 4, 1));  // another lock
}

TEST(AccessOrder, ReadersDoNotKeepOutReaders) {
  for (bool writes : {false, true}) {
    Ordered run;
    run.add(1, OpKind::rwlock_read, kLock).access(1).access(1).add(1, OpKind::rwlock_unlock, kLock);
    run.add(2, writes ? OpKind::rwlock_write : OpKind::rwlock_read, kLock).access(2);
    EXPECT_EQ(run.order().kept_out(0, 2, 1), writes);
  }
}

TEST(AccessOrder, AWaitForAConditionEndsASection) {
  Ordered run;
  run.add(1, OpKind::mutex_lock, kLock).access(1).add(1, OpKind::cond_wait, 9);
  run.add(2, OpKind::mutex_lock, kLock).access(2).add(2, OpKind::mutex_unlock, kLock);
  run.add(1, OpKind::cond_wake, 9).access(1).access(1);
  AccessOrder order = run.order();
  EXPECT_FALSE(order.kept_out(0, 1, 2));
  EXPECT_TRUE(order.kept_out(2, 1, 3));
}

}  // namespace
}  // namespace raddle::analysis
