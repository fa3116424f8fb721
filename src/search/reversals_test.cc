// SPDX-License-Identifier: Apache-2.0
//
// Which pairs of steps another schedule could turn round, on runs written down by hand. Tests only.
#include "search/reversals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/hand_run.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using wire::OpKind;

constexpr wire::Location at(std::uint32_t offset) { return {0x10000000, offset}; }
constexpr wire::Location kM = at(0x200), kS = at(0x300), kC = at(0x400);

// "choice: wanted", with a question mark if it is only added to be on the safe side.
std::vector<std::string> found(const HandRun& hand, std::uint32_t threads = 2,
                               std::uint32_t first = 0, bool ended_early = false) {
  facts::Run run = hand.run(threads);
  Execution execution;
  execution.read(run);
  Reversals reversals;
  std::vector<std::string> words;
  for (const Reversal& r : reversals.find(execution, first, ended_early))
    words.push_back(std::to_string(r.choice) + ": " + std::to_string(r.wanted) +
                    (r.conservative ? "?" : ""));
  return words;
}

HandRun two(OpKind kind_a, wire::Location a, std::uint16_t size_a, OpKind kind_b, wire::Location b,
            std::uint16_t size_b) {
  HandRun hand;
  hand.step(0, kind_a, a, size_a).among(2).step(1, kind_b, b, size_b);
  return hand;
}

TEST(Reversals, OverlappingBytesOfDifferentSizes) {
  constexpr OpKind kLoad = OpKind::atomic_load, kStore = OpKind::atomic_store;
  EXPECT_THAT(found(two(kStore, at(0x100), 8, kLoad, at(0x107), 1)), ElementsAre("0: 1"));
  EXPECT_THAT(found(two(kStore, at(0x100), 8, kLoad, at(0x108), 1)), IsEmpty());
  EXPECT_THAT(found(two(kLoad, at(0x104), 4, kStore, at(0x100), 8)), ElementsAre("0: 1"));
  EXPECT_THAT(found(two(kLoad, at(0x100), 8, kLoad, at(0x100), 8)), IsEmpty());
  EXPECT_THAT(found(two(kStore, at(0x107), 2, kLoad, at(0x108), 1)), ElementsAre("0: 1"));
  EXPECT_THAT(found(two(kStore, at(0x100), 0x100, kLoad, at(0x1ff), 1)), ElementsAre("0: 1"));
  EXPECT_THAT(found(two(kStore, at(0x100), 0x100, kLoad, at(0x200), 1)), IsEmpty());
}

TEST(Reversals, FreeingABlockAgainstWhatIsInIt) {
  constexpr OpKind kFree = OpKind::memory_free;
  EXPECT_THAT(found(two(kFree, at(0x100), 64, OpKind::plain_read, at(0x13f), 1)),
              ElementsAre("0: 1"));
  EXPECT_THAT(found(two(kFree, at(0x100), 64, OpKind::plain_read, at(0x140), 1)), IsEmpty());
  EXPECT_THAT(found(two(OpKind::atomic_rmw, at(0x110), 4, kFree, at(0x100), 64)),
              ElementsAre("0: 1"));
  EXPECT_THAT(found(two(kFree, at(0x100), 64, OpKind::mutex_try_lock, at(0x120), 0)),
              ElementsAre("0: 1"));
  EXPECT_THAT(found(two(OpKind::mutex_unlock, at(0x120), 0, kFree, at(0x100), 64)),
              ElementsAre("0: 1"));
  EXPECT_THAT(found(two(OpKind::mutex_unlock, at(0x150), 0, kFree, at(0x100), 64)), IsEmpty());
}

TEST(Reversals, SignalsAgainstEverything) {
  EXPECT_THAT(found(two(OpKind::fence, {}, 0, OpKind::signal_send, {}, 15)), ElementsAre("0: 1"));
  EXPECT_THAT(found(two(OpKind::thread_cancel, {}, 0, OpKind::atomic_load, at(0x100), 4)),
              ElementsAre("0: 1"));
  EXPECT_THAT(found(two(OpKind::fence, {}, 0, OpKind::yield, {}, 0)), IsEmpty());
}

// lock, unlock; lock: the second lock could not have come between.
TEST(Reversals, ALockRacesWithTheLockOfWhoGaveItBack) {
  HandRun hand;
  hand.step(0, OpKind::mutex_lock, kM).among(1).step(0, OpKind::mutex_unlock, kM);
  hand.among(2).step(1, OpKind::mutex_lock, kM);
  EXPECT_THAT(found(hand), ElementsAre("0: 1"));
}

TEST(Reversals, ATryLockRacesWithWhateverCameLast) {
  HandRun hand;
  hand.step(0, OpKind::mutex_lock, kM).step(0, OpKind::mutex_unlock, kM);
  hand.among(2).step(1, OpKind::mutex_try_lock, kM);
  EXPECT_THAT(found(hand), ElementsAre("1: 1"));
}

// A deadlock: both wait for what the other one holds.
TEST(Reversals, OperationsThatNobodyCameToCountToo) {
  HandRun hand;
  hand.step(0, OpKind::mutex_lock, at(0x100)).step(1, OpKind::mutex_lock, at(0x110));
  hand.pending(0, OpKind::mutex_lock, at(0x110)).pending(1, OpKind::mutex_lock, at(0x100));
  // Thread 1's lock before thread 0's would take its own first one along; so would thread 0's.
  EXPECT_THAT(found(hand), ElementsAre("0: 1", "1: 0"));
}

TEST(Reversals, OnlyThreadsThatCouldRunThereAreAskedFor) {
  HandRun hand;  // a post lets the wait go on
  hand.among(1).step(0, OpKind::sem_post, kS).among(3).step(0, OpKind::sem_post, kS);
  hand.among(2).step(1, OpKind::sem_wait, kS);
  // Not before the first post: nobody else could run there; maybe before the second.
  EXPECT_THAT(found(hand), ElementsAre("0: 1?"));
}

// w x, then r y; w y: to turn round y, whatever led to the write has to come first.
TEST(Reversals, InitialsAreWhatLeadsToTheRacingStep) {
  HandRun hand;
  hand.among(7).step(0, OpKind::plain_write, at(0x100), 4);
  hand.step(1, OpKind::plain_write, at(0x110), 4);
  hand.step(2, OpKind::plain_read, at(0x110), 4).step(2, OpKind::plain_read, at(0x100), 4);
  facts::Run run = hand.run(3);
  Execution execution;
  execution.read(run);
  Reversals reversals;
  auto all = reversals.find(execution, 0, false);
  ASSERT_EQ(all.size(), 2u);
  // The read of 0x100 before its write: thread 1 has to write and thread 2 to read first.
  EXPECT_EQ(all[0].choice, 0u);
  EXPECT_EQ(all[0].initials, 0b010u);
  EXPECT_EQ(all[0].wanted, 1);
  EXPECT_EQ(all[1].choice, 1u);
  EXPECT_EQ(all[1].initials, 0b100u);
}

// With another write in between the first one and the read do not race.
TEST(Reversals, WhatIsOrderedByAThirdDoesNotRace) {
  HandRun hand;
  hand.among(7).step(0, OpKind::atomic_store, at(0x100), 4);
  hand.step(1, OpKind::atomic_rmw, at(0x100), 4).step(2, OpKind::atomic_load, at(0x100), 4);
  EXPECT_THAT(found(hand, 3), ElementsAre("0: 1", "1: 2"));
}

TEST(Reversals, OfLaterRacesOnly) {
  HandRun hand;
  hand.step(0, OpKind::atomic_rmw, at(0x100), 4).step(1, OpKind::atomic_rmw, at(0x100), 4);
  hand.step(0, OpKind::atomic_rmw, at(0x100), 4);
  EXPECT_THAT(found(hand), ElementsAre("0: 1", "1: 0"));
  EXPECT_THAT(found(hand, 2, 2), ElementsAre("1: 0"));
  EXPECT_THAT(found(hand, 2, 3), IsEmpty());
}

TEST(Reversals, WhatEndsARunMayBePutOff) {
  HandRun hand;
  hand.step(0, OpKind::plain_read, at(0x100), 4).among(7).step(0, OpKind::plain_read, at(0x104), 4);
  hand.pending(1, OpKind::plain_read, at(0x100), {}, 4);
  hand.pending(3, OpKind::mutex_lock, kM);  // could not run
  EXPECT_THAT(found(hand, 4), IsEmpty());
  EXPECT_THAT(found(hand, 4, 0, true), ElementsAre("1: 1?"));
}

// wait gives the mutex back, wake takes it again.
TEST(Reversals, AWaitersMutexCounts) {
  HandRun hand;
  hand.step(0, OpKind::mutex_lock, kM);
  hand.step(0, OpKind::cond_wait, kC).also(OpKind::mutex_unlock, kM);
  hand.among(6).step(1, OpKind::mutex_lock, kM);
  hand.pending(0, OpKind::cond_wake, kC, kM);
  // The lock of thread 1 before that of thread 0; the wake cannot come before the lock, though the
  // mutex was free, as nobody has notified it.
  EXPECT_THAT(found(hand, 3), ElementsAre("0: 1"));
}

TEST(Reversals, StepsThatWereNoChoicesLeaveNoWay) {
  HandRun hand;
  hand.among(1).step(0, OpKind::atomic_store, at(0x100), 4);
  hand.among(2).step(1, OpKind::atomic_load, at(0x100), 4);
  EXPECT_THAT(found(hand), IsEmpty());
}

// Thread 1 has yielded and may not go on before thread 0 has moved: had it yielded before the first
// step of thread 0, it could read before the second.
TEST(Reversals, AYieldComesEarlierWhereItHoldsBackARace) {
  HandRun hand;
  hand.step(0, OpKind::fence).step(1, OpKind::yield);
  hand.among(1).step(0, OpKind::atomic_store, at(0x100), 4);
  EXPECT_THAT(found(hand), IsEmpty());
  hand.among(2).step(1, OpKind::atomic_load, at(0x100), 4, wire::kEventGaveWay);
  EXPECT_THAT(found(hand), ElementsAre("0: 1?"));
}

}  // namespace
}  // namespace raddle::search
