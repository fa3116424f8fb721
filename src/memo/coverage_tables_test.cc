// SPDX-License-Identifier: Apache-2.0
//
// Coverage in the memo: what is added is a union, whichever way it comes, and older files get the
// tables. Engine side.
#include "memo/coverage_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"
#include "testing/memo_files.h"

namespace raddle::memo {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const ProgramRecord kBank{"/src/bank", "b1"};

CampaignRecord campaign(const std::string& uid) {
  CampaignRecord record;
  record.uid = uid;
  record.program = kBank;
  return record;
}

PropertyRecord property(std::uint64_t hash, const std::string& variable = "x") {
  return {kBank, "pinv", hash, 0, "read 1 1 s\nwrite 2 1 t\nread 1 2 s\n", variable};
}

CoverageRecord covered(const std::string& uid, std::uint64_t hash, std::uint64_t run,
                       std::uint64_t times) {
  return {uid, "pinv", hash, run, run == 0 ? 0 : 1000, times, false, 0, 0};
}

class CoverageTables : public MemoFiles {};

TEST_F(CoverageTables, StatesOfOneCampaignAreJoined) {
  auto memo = opened("a.db");
  CoverageRecord predicted = covered("u1", 5, 0, 0), tried = predicted;
  predicted.predicted = true;
  tried.attempts = 4;
  tried.failures = 3;
  add(*memo, {campaign("u1"), property(5), covered("u1", 5, 9, 1), predicted, tried,
              covered("u1", 5, 9, 7), covered("u1", 5, 12, 2)});
  CoverageRecord joined{"u1", "pinv", 5, 9, 1000, 7, true, 4, 3};
  EXPECT_THAT(records(*memo), Contains(Record(joined)));
}

TEST_F(CoverageTables, OfGrowthTheLaterStateCounts) {
  auto memo = opened("a.db");
  GrowthRecord early{"u1", "pinv", 3, 2, "48", false, "1:2"}, late = early;
  late.runs = 30;
  late.growth = "1:2 9:4";
  late.covered = 4;
  add(*memo, {campaign("u1"), late, early});
  EXPECT_THAT(records(*memo), Contains(Record(late)));
}

std::vector<Record> random_records(Rng& rng) {
  std::vector<Record> some;
  for (const char* uid : {"u1", "u2"}) some.push_back(campaign(uid));
  for (std::uint64_t hash = 1; hash <= 3; ++hash)
    some.push_back(property(hash, std::string(1, static_cast<char>('a' + rng.below(3)))));
  for (int i = 0; i < 6; ++i) {
    std::string uid = rng.below(2) == 0 ? "u1" : "u2";
    CoverageRecord record = covered(uid, 1 + rng.below(3), rng.below(4), rng.below(5));
    record.attempts = rng.below(3);
    record.predicted = rng.below(2) == 0;
    some.push_back(record);
    some.push_back(GrowthRecord{uid, "pinv", rng.below(4), rng.below(3), "", rng.below(2) == 0,
                                std::to_string(rng.below(9))});
  }
  return some;
}

// Commutative, associative, idempotent: what any order and grouping of additions leads to.
TEST_F(CoverageTables, AddingIsAUnionInAnyOrder) {
  Rng rng(11);
  for (int round = 0; round < 8; ++round) {
    std::vector<Record> parts[3] = {random_records(rng), random_records(rng), random_records(rng)};
    std::vector<std::vector<Record>> results;
    int order[] = {0, 1, 2};
    do {
      std::string name = std::to_string(round) + std::to_string(results.size());
      auto left = opened(name + "l.db"), right = opened(name + "r.db");
      add(*left, parts[order[0]]);
      add(*right, parts[order[1]]);
      add(*right, parts[order[2]]);
      add(*left, records(*right));
      add(*left, parts[order[1]]);
      results.push_back(records(*left));
    } while (std::next_permutation(std::begin(order), std::end(order)));
    for (const auto& result : results) EXPECT_EQ(result, results[0]);
  }
}

TEST_F(CoverageTables, WhatBelongsToNothingIsRefused) {
  auto memo = opened("a.db");
  auto problem = [&](std::vector<Record> some) {
    Status added = memo->add(some);
    return added ? "none" : added.error().message;
  };
  EXPECT_THAT(problem({campaign("u1"), covered("u1", 5, 1, 1)}),
              HasSubstr("coverage of pinv 0000000000000005 is of a property that is not there"));
  EXPECT_THAT(problem({property(5), covered("u9", 5, 1, 1)}), HasSubstr("the campaign u9"));
  EXPECT_THAT(problem({GrowthRecord{"u9", "pinv", 1, 1, "", false, ""}}),
              HasSubstr("the growth of pinv is of the campaign u9"));
  EXPECT_THAT(records(*memo), IsEmpty());
}

TEST_F(CoverageTables, IsForgottenWithItsProgram) {
  auto memo = opened("a.db");
  add(*memo, {campaign("u1"), property(5), covered("u1", 5, 1, 1),
              GrowthRecord{"u1", "pinv", 1, 1, "", false, ""}});
  EXPECT_EQ(memo->stats()->programs.at(0).covered, 1u);
  ASSERT_TRUE(memo->forget("/src/bank"));
  EXPECT_THAT(records(*memo), IsEmpty());
}

TEST_F(CoverageTables, AnOlderFileGetsTheTables) {
  MemoOptions old;
  old.schema = std::span(kSchema).first(1);
  add(*opened("a.db", old), {});
  {
    Database database(path("a.db"), old);
    ASSERT_TRUE(database.open());
    ASSERT_TRUE(database.script(
        "INSERT INTO programs (path, build) VALUES ('/src/bank', 'b1');"
        "INSERT INTO campaigns VALUES (1, 'u1', 1, '', '', 'auto', 1, 5, 1, 7, 2, 0.5, 0, '');"));
  }
  auto memo = opened("a.db");
  add(*memo, {property(5), covered("u1", 5, 1, 1)});
  EXPECT_THAT(records(*memo), Contains(Record(covered("u1", 5, 1, 1))));
  EXPECT_EQ(memo->stats()->programs.at(0).runs, 7u);
}

}  // namespace
}  // namespace raddle::memo
