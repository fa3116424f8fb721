// SPDX-License-Identifier: Apache-2.0
//
// What systematic searches say of themselves. Tests only.
#include "search/coverage_words.h"

#include <gtest/gtest.h>

#include "testing/fake_executor.h"

namespace raddle::search {
namespace {

TEST(CoverageWords, NumbersAreGrouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(plural(1, "run"), "1 run");
  EXPECT_EQ(plural(0, "run"), "0 runs");
  EXPECT_EQ(plural(1234, "run"), "1,234 runs");
}

TEST(CoverageWords, LimitsCutRuns) {
  facts::Run run;
  for (auto kind : {wire::VerdictKind::exited, wire::VerdictKind::deadlock,
                    wire::VerdictKind::assertion, wire::VerdictKind::blocked}) {
    run.verdict.kind = kind;
    EXPECT_TRUE(ended_by_itself(run));
  }
  run.timed_out = true;
  EXPECT_FALSE(ended_by_itself(run));
  run.timed_out = false;
  for (auto kind : {wire::VerdictKind::limit, wire::VerdictKind::hang}) {
    run.verdict.kind = kind;
    EXPECT_FALSE(ended_by_itself(run));
  }
}

std::string words_of(wire::Points points, std::vector<SiteId> sites) {
  PlanOptions options = toy_options();
  options.points = points;
  Learned learned(options);
  std::vector<wire::Event> events;
  for (SiteId site : sites) events.push_back(toy_access(wire::OpKind::plain_write, site));
  facts::Run run;
  run.events = events;
  learned.observe(run);
  return point_words(learned);
}

TEST(CoverageWords, ThePointsAreNamed) {
  EXPECT_EQ(words_of(wire::Points::sync, {1}), "of synchronisation and atomics");
  EXPECT_EQ(words_of(wire::Points::all, {1}), "of synchronisation, atomics and all plain accesses");
  EXPECT_EQ(words_of(wire::Points::shared, {}),
            "of synchronisation and atomics (no other access to shared data was seen)");
  EXPECT_EQ(words_of(wire::Points::shared, {7}),
            "of synchronisation, atomics and the shared accesses at 1 site");
  EXPECT_EQ(words_of(wire::Points::shared, {7, 8, 9}),
            "of synchronisation, atomics and the shared accesses at 3 sites");
}

TEST(CoverageWords, ReservationsAreSaidOneAfterTheOther) {
  EXPECT_EQ(reservation_words({.runs = 5, .blocked = 3}, 0), "");
  EXPECT_EQ(reservation_words({.runs = 5000, .cut = 1234}, 0),
            "; 1,234 of them up to a limit only (--max-steps, --run-timeout, threads that did not "
            "end when the process did)");
  EXPECT_EQ(reservation_words({.unfair = 1}, 2),
            "; left out are those in which a thread that spins, sleeps or yields does not give way"
            "; begun anew 2 times as further sites were seen");
  EXPECT_EQ(reservation_words({.diverged = 1}, 0),
            "; 1 run left the path to be followed and did not count: the program depends on "
            "something that raddle does not control, so some may be missing");
}

}  // namespace
}  // namespace raddle::search
