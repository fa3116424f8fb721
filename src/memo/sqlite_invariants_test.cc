// SPDX-License-Identifier: Apache-2.0
//
// Trainings and invariants in the memo: what holds in the light of several, merging, forgetting,
// and databases from before there were any. Engine side.
#include "memo/sqlite_invariants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "testing/memo_files.h"

namespace raddle::memo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const ProgramRecord kBank{"/src/bank", "b1"};

TrainingRecord training(const std::string& uid, std::uint64_t runs, std::uint64_t tolerated = 0,
                        const ProgramRecord& program = kBank) {
  TrainingRecord record;
  record.uid = uid;
  record.program = program;
  record.granularity = "word";
  record.tolerated = tolerated;
  record.begun = 1000;
  record.runs = runs;
  record.failed = 1;
  return record;
}

InvariantRecord invariant(const std::string& uid, const std::string& site, std::uint64_t runs,
                          std::uint64_t violations) {
  return {uid, site, "bank.cpp", 7, runs, violations};
}

class InvariantsInMemo : public MemoFiles {
 protected:
  static std::vector<std::string> holding(Memo& memo, const std::string& granularity = "") {
    std::vector<std::string> sites;
    auto learned = memo.invariants("/src/bank", granularity);
    EXPECT_TRUE(learned);
    for (const Invariant& each : learned->places)
      if (each.holds) sites.push_back(each.site);
    return sites;
  }
};

TEST_F(InvariantsInMemo, ComeBackAndAreThereOnce) {
  std::vector<Record> all{kBank, training("t1", 5), invariant("t1", "a", 5, 0),
                          invariant("t1", "b", 5, 2)};
  auto memo = opened("a.db");
  add(*memo, all);
  add(*memo, all);
  EXPECT_EQ(records(*memo), all);
  EXPECT_THAT(holding(*memo), ElementsAre("a"));
}

TEST_F(InvariantsInMemo, TheLaterStateCounts) {
  TrainingRecord ended = training("t1", 9);
  ended.ended = true;
  auto memo = opened("a.db");
  add(*memo, {ended, training("t1", 4), invariant("t1", "a", 9, 1), invariant("t1", "a", 4, 0)});
  EXPECT_EQ(records(*memo), (std::vector<Record>{kBank, ended, invariant("t1", "a", 9, 1)}));
  EXPECT_THAT(holding(*memo), IsEmpty());
}

TEST_F(InvariantsInMemo, WhatOneTrainingHasViolatedStaysViolated) {
  ProgramRecord rebuilt{"/src/bank", "b2"};
  auto memo = opened("a.db");
  add(*memo, {training("t1", 5), invariant("t1", "a", 5, 0), invariant("t1", "b", 5, 1),
              training("t2", 500, 0, rebuilt), invariant("t2", "a", 500, 0),
              invariant("t2", "b", 500, 0), invariant("t2", "c", 500, 0)});
  EXPECT_THAT(holding(*memo), ElementsAre("a", "c"));
  auto learned = memo->invariants("/src/bank");
  EXPECT_EQ(learned->places[1].runs, 505u);
  EXPECT_EQ(learned->places[1].violations, 1u);
  EXPECT_EQ(learned->granularity, "word");
}

TEST_F(InvariantsInMemo, EveryTrainingToleratesAsManyAsItWasAskedTo) {
  auto memo = opened("a.db");
  add(*memo, {training("t1", 9, 2), invariant("t1", "a", 9, 2), invariant("t1", "b", 9, 3)});
  EXPECT_THAT(holding(*memo), ElementsAre("a"));
  add(*memo, {training("t2", 9, 1), invariant("t2", "a", 9, 1)});
  EXPECT_THAT(holding(*memo), ElementsAre("a"));
}

TEST_F(InvariantsInMemo, GranularitiesAreApart) {
  TrainingRecord bytes = training("t2", 3);
  bytes.granularity = "byte";
  bytes.begun = 2000;
  auto memo = opened("a.db");
  add(*memo, {training("t1", 5), invariant("t1", "a", 5, 0), bytes, invariant("t2", "a", 3, 1),
              invariant("t2", "z", 3, 0)});
  EXPECT_THAT(holding(*memo), ElementsAre("z"));  // as last trained
  EXPECT_THAT(holding(*memo, "word"), ElementsAre("a"));
  EXPECT_THAT(holding(*memo, "line"), IsEmpty());
  auto stats = memo->stats();
  ASSERT_EQ(stats->trainings.size(), 2u);
  EXPECT_EQ(stats->trainings[0].granularity, "byte");
  EXPECT_EQ(stats->trainings[0].invariants, 1u);
  EXPECT_EQ(stats->trainings[0].violated, 1u);
  EXPECT_EQ(stats->trainings[1].runs, 5u);
}

TEST_F(InvariantsInMemo, NobodyElsesProgram) {
  auto memo = opened("a.db");
  add(*memo, {training("t1", 5, 0, {"/src/shop", "s"}), invariant("t1", "a", 5, 0)});
  EXPECT_THAT(holding(*memo), IsEmpty());
}

TEST_F(InvariantsInMemo, ATrainingHasToBeThere) {
  auto memo = opened("a.db");
  Status added = memo->add(std::vector<Record>{invariant("nobody", "a", 1, 0)});
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().message, HasSubstr("the training nobody, which is not there"));
}

// Any order, any grouping, any number of times: the same.
TEST_F(InvariantsInMemo, MergingIsAUnion) {
  const std::vector<std::vector<Record>> parts{
      {training("t1", 5), invariant("t1", "a", 5, 0), invariant("t1", "b", 5, 0)},
      {training("t1", 9), invariant("t1", "a", 9, 1), invariant("t1", "b", 9, 0)},
      {training("t2", 7), invariant("t2", "b", 7, 3), invariant("t2", "c", 7, 0)}};
  std::vector<std::size_t> order{0, 1, 2};
  std::vector<std::vector<Record>> results;
  int number = 0;
  do {
    // One after the other, and the last two first to each other.
    auto chain = opened("chain" + std::to_string(number) + ".db");
    for (std::size_t i : order) add(*chain, parts[i]);
    add(*chain, parts[order[0]]);
    results.push_back(records(*chain));
    auto inner = opened("inner" + std::to_string(number) + ".db");
    auto outer = opened("outer" + std::to_string(number++) + ".db");
    add(*inner, parts[order[1]]);
    add(*inner, parts[order[2]]);
    add(*outer, parts[order[0]]);
    add(*outer, records(*inner));
    results.push_back(records(*outer));
    EXPECT_THAT(holding(*outer), ElementsAre("c"));
  } while (std::ranges::next_permutation(order).found);
  for (const std::vector<Record>& each : results) EXPECT_EQ(each, results.front());
}

TEST_F(InvariantsInMemo, AreForgottenWithTheirProgram) {
  auto memo = opened("a.db");
  add(*memo, {training("t1", 5), invariant("t1", "a", 5, 0)});
  EXPECT_EQ(*memo->forget("/src/bank"), 1u);
  EXPECT_THAT(records(*memo), IsEmpty());
}

// A database of the first version is brought to this one, and keeps what it has.
TEST_F(InvariantsInMemo, OlderDatabasesGetTheTables) {
  MemoOptions old;
  old.schema = std::span(kSchema).first(1);
  {
    auto memo = open_memo(path("old.db"), old);
    ASSERT_TRUE(memo);
    add(**memo, {kBank});
  }
  auto memo = opened("old.db");
  add(*memo, {training("t1", 5), invariant("t1", "a", 5, 0)});
  EXPECT_EQ(records(*memo).size(), 3u);
}

}  // namespace
}  // namespace raddle::memo
