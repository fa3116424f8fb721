// SPDX-License-Identifier: Apache-2.0
//
// Preemptions in hand-made streams: interrupted, blocked, giving way.
#include "report/preemptions.h"

#include <gtest/gtest.h>

namespace raddle::report {
namespace {

using wire::Event;
using wire::OpKind;

Event step(ThreadId thread, OpKind kind, std::uint32_t where = 0, std::uint64_t value = 0) {
  Event event{};
  event.thread = thread;
  event.kind = kind;
  event.where = wire::make_location(wire::Region::global, 0, where);
  event.value = value;
  event.flags = wire::kEventStep | wire::kEventChoice;
  return event;
}

// Whether T1 counts as preempted when T2 takes over before the event `at`.
bool preempted(std::vector<Event> events, std::size_t at, std::set<ThreadId> stuck = {}) {
  return preempted_before(events, stuck)[at] == 1;
}

TEST(Preemptions, AThreadThatGoesOnLaterWithoutNeedWasInterrupted) {
  Event load = step(1, OpKind::atomic_load, 8);
  Event other = step(2, OpKind::atomic_store, 8);
  EXPECT_TRUE(preempted({load, other, load}, 1));
  EXPECT_TRUE(preempted({load, other, step(1, OpKind::mutex_lock, 64)}, 1));
  EXPECT_FALSE(preempted({step(1, OpKind::yield), other, load}, 1));
  EXPECT_FALSE(preempted({step(1, OpKind::thread_exit), other}, 1));
}

TEST(Preemptions, AThreadBeforeAnEventOfAScheduleMayHaveBeenKeptBack) {
  Event load = step(1, OpKind::atomic_load, 8), other = step(2, OpKind::atomic_store, 8);
  Event event = step(1, OpKind::event, 8);
  EXPECT_FALSE(preempted({load, other, event}, 1));
  event.where = {};
  EXPECT_TRUE(preempted({load, other, event}, 1));
}

TEST(Preemptions, ThreadsThatEndedOrHaveJustBegunWereNotInterrupted) {
  Event load = step(1, OpKind::atomic_load, 8), other = step(2, OpKind::atomic_store, 8);
  Event exit = step(1, OpKind::thread_exit);
  exit.flags = 0;  // recorded beside the thread's last step
  EXPECT_FALSE(preempted({load, exit, other}, 2));
  EXPECT_FALSE(preempted({step(1, OpKind::thread_start), other, load}, 1));
}

TEST(Preemptions, WithoutAChoiceThereWasNone) {
  Event other = step(2, OpKind::atomic_store, 8);
  other.flags = wire::kEventStep;
  EXPECT_FALSE(preempted({step(1, OpKind::atomic_load, 8), other, step(1, OpKind::yield)}, 1));
}

TEST(Preemptions, WaitingForALockIsNotBeingInterrupted) {
  Event lock1 = step(1, OpKind::mutex_lock, 64), lock2 = step(2, OpKind::mutex_lock, 64);
  Event unlock2 = step(2, OpKind::mutex_unlock, 64), other2 = step(2, OpKind::yield);
  Event load1 = step(1, OpKind::atomic_load, 8);
  EXPECT_FALSE(preempted({lock2, load1, unlock2, lock1}, 2));
  EXPECT_TRUE(preempted({lock2, unlock2, load1, other2, lock1}, 3));
  // A recursive lock, and read locks.
  EXPECT_TRUE(preempted({lock1, other2, lock1}, 1));
  Event read1 = step(1, OpKind::rwlock_read, 64), read2 = step(2, OpKind::rwlock_read, 64);
  Event write1 = step(1, OpKind::rwlock_write, 64);
  EXPECT_TRUE(preempted({read2, load1, other2, read1}, 2));
  EXPECT_FALSE(preempted({read2, load1, other2, write1}, 2));
  // A try-lock that was refused holds nothing.
  Event refused = step(2, OpKind::mutex_try_lock, 64);
  refused.flags |= wire::kEventFailed;
  EXPECT_TRUE(preempted({refused, load1, other2, lock1}, 2));
}

TEST(Preemptions, JoiningALivingThreadIsWaiting) {
  Event load1 = step(1, OpKind::atomic_load, 8), other2 = step(2, OpKind::yield);
  Event exit2 = step(2, OpKind::thread_exit), join2 = step(1, OpKind::thread_join, 0, 2);
  EXPECT_FALSE(preempted({load1, other2, exit2, join2}, 1));
  EXPECT_TRUE(preempted({exit2, load1, step(3, OpKind::yield), join2}, 2));
}

TEST(Preemptions, ThreadsThatNeverRunAgainWereInterruptedUnlessStuck) {
  Event load1 = step(1, OpKind::atomic_load, 8), other2 = step(2, OpKind::yield);
  EXPECT_TRUE(preempted({load1, other2}, 1));
  EXPECT_FALSE(preempted({load1, other2}, 1, {1}));
}

}  // namespace
}  // namespace raddle::report
