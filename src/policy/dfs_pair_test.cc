// SPDX-License-Identifier: Apache-2.0
//
// DfsPolicy::pick_of_pair(): the choices of pick(), or none. Tests only.
#include <gtest/gtest.h>

#include <array>

#include "policy/dfs.h"
#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using wire::ChoiceRecord;
using wire::OpKind;

// Asked about threads 3 and 9 at step 7, of which `current` ran last, after such a record.
ThreadId picked(const ChoiceRecord* record, ThreadId current) {
  wire::Plan plan = toy::plan_for("dfs");
  std::span<const ChoiceRecord> ranks(record, record == nullptr ? 0 : 1);
  auto steering = wire::SteeringView::of<wire::SteeringKind::ranks>(ranks);
  ThreadSet enabled;
  for (ThreadId t : {3, 9}) enabled.add(t);
  DfsPolicy pair, usual;
  pair.begin({plan, steering});
  usual.begin({plan, steering});
  ThreadId quickly = pair.pick_of_pair(enabled.first_word(), current, 7);
  // Whoever gets no answer asks the usual way, and loses nothing.
  ThreadId expected = usual.pick({enabled, nullptr, 10, current, 7});
  if (quickly == kNoThread) quickly = pair.pick({enabled, nullptr, 10, current, 7});
  EXPECT_EQ(quickly, expected);
  EXPECT_EQ(pair.reason(), usual.reason());
  EXPECT_EQ(pair.diverged_at(), usual.diverged_at());
  return quickly;
}

TEST(DfsPair, FollowsItsRanksAndThenGoesOn) {
  ChoiceRecord stay{7, 0, OpKind::none, 2}, change{7, 1, OpKind::none, 2};
  for (ThreadId current : {3, 9}) {
    auto other = static_cast<ThreadId>(12 - current);
    EXPECT_EQ(picked(nullptr, current), current);
    EXPECT_EQ(picked(&stay, current), current);
    EXPECT_EQ(picked(&change, current), other);
  }
}

TEST(DfsPair, WhatIsNotComparedFits) {
  ChoiceRecord any_step{wire::kAnyStep, 1, OpKind::none, 2}, any_number{7, 1, OpKind::none, 0};
  EXPECT_EQ(picked(&any_step, 3), 9);
  EXPECT_EQ(picked(&any_number, 3), 9);
}

TEST(DfsPair, WhatDoesNotFitIsADivergence) {
  const std::array<ChoiceRecord, 5> others = {{{8, 1, OpKind::none, 2},
                                               {7, 2, OpKind::none, 2},
                                               {7, 1, OpKind::none, 3},
                                               {7, 1, OpKind::value, 2},
                                               {7, 0x101, OpKind::none, 2}}};
  for (const ChoiceRecord& record : others) EXPECT_EQ(picked(&record, 3), kNoThread);
}

}  // namespace
}  // namespace raddle::policy
