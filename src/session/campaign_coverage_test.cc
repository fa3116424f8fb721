// SPDX-License-Identifier: Apache-2.0
//
// What a campaign puts into the memo of the coverage of its runs. Engine side.
#include "session/campaign_coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/fake_names.h"

namespace raddle::session {
namespace {

using ::testing::HasSubstr;

wire::Event access(ThreadId thread, wire::OpKind kind, SiteId site) {
  wire::Event event{};
  event.thread = thread;
  event.kind = kind;
  event.site = site;
  event.where = wire::make_location(wire::Region::global, 0, 64);
  event.size = 4;
  return event;
}

class CampaignCoverageTest : public ::testing::Test {
 protected:
  // T1 reads, T2 writes, T1 writes.
  void run(std::uint8_t racing_only = 0, facts::Outcome outcome = facts::Outcome::ok,
           SiteId shift = 0) {
    std::vector<wire::Event> events = {access(1, wire::OpKind::plain_read, 11 + shift),
                                       access(2, wire::OpKind::plain_write, 21 + shift),
                                       access(1, wire::OpKind::plain_write, 12 + shift)};
    facts::Plan plan;
    plan.header.racing_only = racing_only;
    campaign::Trial trial;
    trial.run.events = events;
    trial.judgement.outcome = outcome;
    coverage_.on_trial(plan, trial);
  }
  template <class T>
  std::vector<T> records(bool ended = false, SiteId shift = 0) {
    memo::CampaignRecord campaign;
    campaign.uid = "u1";
    auto place_of = [&](SiteId site) -> std::optional<memo::PlaceRecord> {
      return memo::PlaceRecord{{}, "m", site, "m:f()+" + std::to_string(site - shift), "f.c", 3};
    };
    report::FakeNames names;
    std::vector<memo::Record> all;
    coverage_.add_records(campaign, place_of, names, ended, all);
    std::vector<T> some;
    for (const memo::Record& record : all)
      if (auto* one = std::get_if<T>(&record)) some.push_back(*one);
    return some;
  }

  CampaignCoverage coverage_;
};

TEST_F(CampaignCoverageTest, ObservesRunsThatShowAllAccesses) {
  run();
  run(1);
  run(0, facts::Outcome::diverged);
  run(0, facts::Outcome::finding);
  EXPECT_EQ(coverage_.table().runs(), 2u);
  EXPECT_EQ(coverage_.left_out(), 2u);
  facts::Plan sync;
  sync.header.points = wire::Points::sync;
  EXPECT_FALSE(observable(sync));
  facts::Plan no_races;
  no_races.header.races = 0;
  EXPECT_FALSE(observable(no_races));
}

TEST_F(CampaignCoverageTest, TellsPropertiesBySites) {
  run();
  std::vector<memo::PropertyRecord> properties = records<memo::PropertyRecord>();
  auto pinv = std::ranges::find(properties, "pinv", &memo::PropertyRecord::criterion);
  ASSERT_NE(pinv, properties.end());
  EXPECT_EQ(pinv->accesses, "read 1 1 m:f()+11\nwrite 2 1 m:f()+21\nwrite 1 1 m:f()+12\n");
  EXPECT_TRUE(records<memo::PropertyRecord>().empty()) << "nothing is told twice";
  coverage_.lost();
  EXPECT_EQ(records<memo::PropertyRecord>().size(), properties.size());
}

TEST_F(CampaignCoverageTest, AnotherBuildOfTheSameCodeAgrees) {
  run();
  std::vector<memo::PropertyRecord> here = records<memo::PropertyRecord>();
  coverage_ = CampaignCoverage();
  run(0, facts::Outcome::ok, 1000);
  std::vector<memo::PropertyRecord> there = records<memo::PropertyRecord>(false, 1000);
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t i = 0; i < here.size(); ++i)
    EXPECT_TRUE(here[i].accesses.empty() || here[i] == there[i]) << here[i].accesses;
}

TEST_F(CampaignCoverageTest, CountsAreExactAtTheEnd) {
  for (int i = 0; i < 7; ++i) run();
  records<memo::CoverageRecord>();
  run();
  run();
  std::vector<memo::CoverageRecord> last = records<memo::CoverageRecord>(true);
  EXPECT_TRUE(std::ranges::any_of(last, [](const auto& c) { return c.times == 9; }));
  std::vector<memo::GrowthRecord> growth = records<memo::GrowthRecord>(true);
  ASSERT_FALSE(growth.empty());
  EXPECT_EQ(growth[0].criterion, "all");
  EXPECT_EQ(growth[0].runs, 9u);
  EXPECT_EQ(growth[0].size, "3");
  EXPECT_EQ(growth[0].growth, "1:1");
}

TEST_F(CampaignCoverageTest, LongRunsAreObservedNowAndThen) {
  for (auto [length, least, most] : {std::tuple(100, 1000, 1000), {2000, 125, 140}}) {
    CampaignCoverage coverage(ObserveRuns::some);
    std::vector<wire::Event> events(static_cast<std::size_t>(length),
                                    access(1, wire::OpKind::plain_read, 11));
    campaign::Trial trial;
    trial.run.events = events;
    for (int i = 0; i < 1000; ++i) coverage.on_trial({}, trial);
    EXPECT_GE(coverage.table().runs(), static_cast<std::uint64_t>(least));
    EXPECT_LE(coverage.table().runs(), static_cast<std::uint64_t>(most));
    EXPECT_EQ(coverage.table().runs() + coverage.left_out(), 1000u);
  }
}

TEST_F(CampaignCoverageTest, SaysWhyItIsEnough) {
  for (int i = 0; i < 9; ++i) run();
  EXPECT_EQ(coverage_.saturation({9, 20}), "");
  EXPECT_EQ(coverage_.saturation({8, 20}),
            "coverage is saturated: the last 8 of 9 observed runs added nothing");
}

}  // namespace
}  // namespace raddle::session
