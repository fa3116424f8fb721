// SPDX-License-Identifier: Apache-2.0
//
// The memo: union of records, later states, merging both ways, forgetting, two connections. What
// happens to files that are none: sqlite_database_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "testing/memo_files.h"

namespace raddle::memo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

const ProgramRecord kBank{"/src/bank", "b1"};
const ProgramRecord kShop{"/src/shop", "s1"};

CampaignRecord campaign(const std::string& uid, std::uint64_t runs,
                        const ProgramRecord& program = kBank) {
  CampaignRecord record;
  record.uid = uid;
  record.program = program;
  record.strategy = "auto";
  record.seed = UINT64_MAX;
  record.begun = 1000;
  record.runs = runs;
  record.seconds = 0.25;
  return record;
}

SightingRecord sighting(const std::string& uid, const std::string& signature, std::uint64_t times) {
  return {uid,  "deadlock", signature, "no thread can run", "f/1/schedule.raddle",
          1001, 1002,       times};
}

PlaceRecord place(std::uint64_t offset, const ProgramRecord& program = kBank) {
  return {program, "bank", offset, "bank:bank.cpp:f()+" + std::to_string(offset), "bank.cpp", 7};
}

LearnedRecord learned(std::uint64_t offset, const std::string& subject = "--strategy=dpor\n") {
  return {kBank, subject, "shared", "bank", offset};
}

class MemoTest : public MemoFiles {};

TEST_F(MemoTest, GivesBackWhatWasAddedInAnOrderInWhichItCanBeAdded) {
  std::vector<Record> all{kBank,
                          place(5),
                          place(9),
                          learned(5),
                          learned(9),
                          campaign("u1", 3),
                          sighting("u1", "deadlock a.cpp:3", 2)};
  auto memo = opened("a.db");
  add(*memo, all);
  EXPECT_EQ(records(*memo), all);
  add(*memo, all);
  EXPECT_EQ(records(*memo), all) << "nothing is there twice";
}

TEST_F(MemoTest, SurvivesClosing) {
  add(*opened("a.db"), {campaign("u1", 3)});
  EXPECT_THAT(records(*opened("a.db")), ElementsAre(Record(kBank), Record(campaign("u1", 3))));
}

TEST_F(MemoTest, TheLaterStateOfACampaignCountsInWhateverOrderTheyCome) {
  CampaignRecord ended = campaign("u1", 9);
  ended.ended = true;
  ended.guarantee = "all";
  auto memo = opened("a.db");
  add(*memo, {campaign("u1", 3), ended, campaign("u1", 7), sighting("u1", "x", 1),
              sighting("u1", "x", 4), sighting("u1", "x", 2)});
  EXPECT_THAT(records(*memo),
              ElementsAre(Record(kBank), Record(ended), Record(sighting("u1", "x", 4))));
}

TEST_F(MemoTest, AddsAllOrNothing) {
  auto memo = opened("a.db");
  std::vector<Record> some{campaign("u1", 3), sighting("nobody", "x", 1)};
  Status added = memo->add(some);
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().message, HasSubstr("the campaign nobody, which is not there"));
  EXPECT_THAT(records(*memo), IsEmpty());
}

TEST_F(MemoTest, LearnedSetsAreOfOneSubjectAndBuild) {
  auto memo = opened("a.db");
  add(*memo, {learned(9), learned(5), learned(1, "--strategy=dfs\n")});
  EXPECT_THAT(*memo->learned(kBank, "--strategy=dpor\n", "shared"),
              ElementsAre(Pair("bank", 5u), Pair("bank", 9u)));
  EXPECT_THAT(*memo->learned(kBank, "--strategy=dpor\n", "1 shared"), IsEmpty());
  EXPECT_THAT(*memo->learned({"/src/bank", "b2"}, "--strategy=dpor\n", "shared"), IsEmpty());
}

TEST_F(MemoTest, MergingIsAUnionThatIsTheSameBothWaysAndTwice) {
  std::vector<Record> mine{place(5),
                           learned(5),
                           campaign("u1", 3),
                           campaign("u2", 10),
                           sighting("u1", "x", 1),
                           sighting("u2", "y", 2)};
  std::vector<Record> theirs{place(9),
                             learned(5),
                             learned(9),
                             campaign("u1", 8),
                             campaign("u3", 1, kShop),
                             sighting("u1", "x", 3),
                             sighting("u3", "x", 1)};
  auto a = opened("a.db"), b = opened("b.db");
  add(*a, mine);
  add(*b, theirs);
  std::vector<Record> of_a = records(*a), of_b = records(*b);
  add(*a, of_b);
  add(*b, of_a);
  std::vector<Record> both = records(*a);
  EXPECT_EQ(both, records(*b));
  EXPECT_EQ(both.size(), 2u + 2 + 2 + 3 + 3);
  add(*a, of_b);
  add(*a, records(*b));
  EXPECT_EQ(both, records(*a));
}

TEST_F(MemoTest, CountsByProgramAcrossBuilds) {
  auto memo = opened("a.db");
  ProgramRecord rebuilt{"/src/bank", "b2"};
  add(*memo, {place(5), place(9), place(5, rebuilt), learned(5), learned(5, "other"),
              campaign("u1", 3), campaign("u2", 4, rebuilt), campaign("u3", 5, kShop),
              sighting("u1", "x", 1), sighting("u2", "x", 2)});
  auto stats = memo->stats();
  ASSERT_TRUE(stats);
  ASSERT_EQ(stats->programs.size(), 2u);
  const ProgramStats& bank = stats->programs[0];
  EXPECT_EQ(bank.path, "/src/bank");
  EXPECT_EQ(bank.builds, 2u);
  EXPECT_EQ(bank.sites, 2u) << "the site at 5 is the same in both builds";
  EXPECT_EQ(bank.shared_sites, 1u) << "in however many sets";
  EXPECT_EQ(bank.campaigns, 2u);
  EXPECT_EQ(bank.runs, 7u);
  EXPECT_EQ(bank.findings, 1u);
  EXPECT_EQ(stats->programs[1].runs, 5u);
  EXPECT_EQ(stats->sites, 2u);
  ASSERT_EQ(stats->findings.size(), 1u);
  EXPECT_EQ(stats->findings[0].times, 3u);
  EXPECT_EQ(stats->findings[0].campaigns, 2u);
}

TEST_F(MemoTest, ForgetsOneProgramOrAll) {
  auto memo = opened("a.db");
  add(*memo, {place(5), learned(5), campaign("u1", 3), sighting("u1", "x", 1),
              campaign("u3", 5, kShop), sighting("u3", "x", 1)});
  EXPECT_EQ(*memo->forget("/src/nothing"), 0u);
  EXPECT_EQ(*memo->forget("/src/bank"), 1u);
  EXPECT_THAT(records(*memo), ElementsAre(Record(kShop), Record(campaign("u3", 5, kShop)),
                                          Record(sighting("u3", "x", 1))));
  EXPECT_EQ(memo->stats()->sites, 0u);
  EXPECT_EQ(*memo->forget(""), 1u);
  EXPECT_THAT(records(*memo), IsEmpty());
}

TEST_F(MemoTest, TwoConnectionsAddToOneFile) {
  auto a = opened("a.db"), b = opened("a.db");
  for (std::uint64_t runs = 1; runs <= 20; ++runs) {
    add(*a, {campaign("u1", runs)});
    add(*b, {campaign("u2", runs)});
  }
  EXPECT_THAT(records(*a),
              ElementsAre(Record(kBank), Record(campaign("u1", 20)), Record(campaign("u2", 20))));
}

TEST_F(MemoTest, ReadingIsOfOneMomentAndEndsAtTheFirstError) {
  auto a = opened("a.db"), b = opened("a.db");
  add(*a, {campaign("u1", 1), campaign("u2", 1)});
  int seen = 0;
  Status read = a->each([&](const Record&) {
    if (++seen == 1) add(*b, {campaign("u3", 1)});
    return seen == 3 ? Status(Error{"enough"}) : Status(Done{});
  });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "enough");
  EXPECT_EQ(records(*a).size(), 4u);
}

TEST(Uid, IsAnotherEveryTime) {
  EXPECT_EQ(new_uid().size(), 32u);
  std::string first = new_uid();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_LT(first, new_uid());
}

}  // namespace
}  // namespace raddle::memo
