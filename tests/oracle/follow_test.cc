// SPDX-License-Identifier: Apache-2.0
//
// Following single executions: races of exactly this order, and orders that cannot be.
#include "oracle/follow.h"

#include <gtest/gtest.h>

namespace raddle::oracle {
namespace {

// The main thread creates T1, reads p2 under the lock and joins; T1 writes p2 under the lock, and
// then without it.
Program sample() {
  Program program;
  program.threads = {{{.what = Do::create, .object = 1},
                      {.what = Do::lock},
                      {.what = Do::load, .object = 2, .reg = 0},
                      {.what = Do::unlock},
                      {.what = Do::join, .object = 1}},
                     {{.what = Do::lock},
                      {.what = Do::store, .object = 2, .value = 1},
                      {.what = Do::unlock},
                      {.what = Do::store, .object = 2, .value = 2}}};
  return program;
}

TEST(OracleFollow, GivesTheRacesOfThisOrderOnly) {
  const Followed late = follow(sample(), {1, 101, 102, 103, 104, 2, 3, 4, 5});
  EXPECT_EQ(late.problem, "");
  EXPECT_EQ(late.outcome, "0 0 2 0 0 | 2 0 0 0 0 0| 0 0 0 0 0 0");
  EXPECT_EQ(late.races, (std::set<Race>{{3, 104}}));
  const Followed early = follow(sample(), {1, 2, 3, 4, 101, 102, 103, 104, 5});
  EXPECT_EQ(early.outcome, "0 0 2 0 0 | 0 0 0 0 0 0| 0 0 0 0 0 0");
  EXPECT_EQ(early.races, (std::set<Race>{}));
}

TEST(OracleFollow, RefusesWhatCannotBe) {
  EXPECT_EQ(follow(sample(), {1, 2, 101}).problem, "101 is not possible there");
  EXPECT_EQ(follow(sample(), {1, 2, 4}).problem, "the thread is not at 4");
  EXPECT_EQ(follow(sample(), {101}).problem, "the thread is not at 101");
  EXPECT_EQ(follow(sample(), {1, 2, 3, 4, 5}).problem, "5 is not possible there");
  EXPECT_EQ(follow(sample(), {1, 2, 3}).outcome, "deadlock");
}

TEST(OracleFollow, DoesNotFollowWaitsAndBarriers) {
  EXPECT_TRUE(can_follow(sample()));
  Program waits = sample();
  waits.threads[1].insert(waits.threads[1].begin() + 1, {.what = Do::wait});
  EXPECT_FALSE(can_follow(waits));
}

}  // namespace
}  // namespace raddle::oracle
