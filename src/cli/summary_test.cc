// SPDX-License-Identifier: Apache-2.0
//
// The last words of a campaign: honest counts, and the commands that lead on.
#include "cli/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace raddle::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

facts::CampaignResult result() {
  facts::CampaignResult result;
  result.strategy = "auto";
  result.seed = 7;
  result.schedules = 1200;
  result.behaviours = 31;
  result.steps = 45678;
  result.seconds = 1.5;
  result.guarantee = "a promise";
  return result;
}

facts::Finding finding() {
  facts::Finding finding;
  finding.id = 4;
  finding.kind = facts::FindingKind::deadlock;
  finding.message = "T1 and T2 wait for each other\nand for ever";
  finding.schedule_index = 37;
  finding.steps = 52;
  finding.preemptions = 1;
  finding.directory = ".raddle/findings/4";
  finding.site.file = "src/bank.cpp";
  finding.site.line = 42;
  finding.site.function = "audit";
  for (ThreadId id = 0; id < 10; ++id) {
    facts::ThreadSnapshot thread;
    thread.id = id;
    thread.state = "blocked";
    finding.threads.push_back(thread);
  }
  return finding;
}

TEST(Summary, CountsWhatWasTriedWhenNothingWasFound) {
  EXPECT_EQ(summary_text(result(), "", false),
            "nothing found in 1,200 runs, 31 distinct behaviours, 45,678 steps, 1.50 s (strategy "
            "auto, seed 7)\npromise: a promise\n");
}

TEST(Summary, SaysThatRunsWereCutAndThatTheUserStopped) {
  facts::CampaignResult cut = result();
  cut.limited = 2;
  std::string text = summary_text(cut, "", true);
  EXPECT_THAT(text, HasSubstr("interrupted; nothing found in 1,202 runs"));
  EXPECT_THAT(text, HasSubstr("2 runs were cut by the step limit"));
}

TEST(Summary, NamesRacesOfTheLibraryThatWereLeftOut) {
  facts::CampaignResult result;
  EXPECT_EQ(summary_text(result, "", false).find("library"), std::string::npos);
  result.library_races = {{"std::a", 1}, {"std::b", 2}};
  std::string text = summary_text(result, "", false);
  EXPECT_NE(text.find("1 race inside the C++ library left out: std::a (--library-races report)\n"
                      "2 races inside the C++ library left out: std::b (--library-races report)\n"),
            std::string::npos)
      << text;
}

TEST(Summary, SaysHowLargeASystematicSearchWas) {
  facts::CampaignResult tree = result();
  tree.size.runs = 34650;
  tree.size.peak_nodes = 812;
  tree.size.peak_tree_bytes = 25'400;
  tree.size.peak_set_bytes = 9'100;
  EXPECT_THAT(summary_text(tree, "", false),
              HasSubstr("\nsearch: 34,650 runs, 0 blocked; at most 812 nodes, 25 kB (+ 9.1 kB of "
                        "sleep and done sets)\npromise: a promise\n"));
  tree.size = {.runs = 1, .blocked = 2000, .peak_nodes = 1, .peak_tree_bytes = 999'600};
  EXPECT_THAT(summary_text(tree, "", false),
              HasSubstr("\nsearch: 1 run, 2,000 blocked; at most 1 node, 1.0 MB\n"));
  EXPECT_THAT(summary_text(result(), "", false), Not(HasSubstr("search:")));
}

TEST(Summary, LeadsFromAFindingToItsReplay) {
  facts::CampaignResult found = result();
  found.findings = {finding()};
  std::string text = summary_text(found, " --out there", false);
  EXPECT_THAT(text, HasSubstr("deadlock: T1 and T2 wait for each other"));
  EXPECT_THAT(text, HasSubstr("in run 37: 52 steps, 1 preemption\n"));
  EXPECT_THAT(text, HasSubstr("bank.cpp:42"));
  EXPECT_THAT(text, HasSubstr("  T7: blocked\n  and 2 more threads\n"));
  EXPECT_THAT(text, HasSubstr("replay it: raddle replay --out there 4\n"));
  EXPECT_THAT(text, HasSubstr("see it:    raddle show --out there 4\n"));
  EXPECT_THAT(text, HasSubstr("1 finding in 1,200 runs"));
  EXPECT_THAT(text, Not(HasSubstr("promise")));
}

TEST(Summary, AFindingThatCouldNotBeKeptHasNoCommands) {
  facts::Finding lost = finding();
  lost.directory.clear();
  EXPECT_THAT(finding_text(lost, ""), Not(HasSubstr("raddle replay")));
}

TEST(Summary, OneLineHoldsKindMessagePlaceAndDirectory) {
  EXPECT_EQ(finding_line(finding()),
            "deadlock: T1 and T2 wait for each other at bank.cpp:42 [.raddle/findings/4]\n");
}

TEST(Summary, WarningsAreCountedApartAndLeaveThePromise) {
  facts::CampaignResult warned = result();
  warned.findings = {finding()};
  warned.findings[0].kind = facts::FindingKind::potential_deadlock;
  warned.directed_runs = 5;
  std::string text = summary_text(warned, "", false);
  EXPECT_THAT(text, HasSubstr("nothing found, 1 warning in 1,200 runs"));
  EXPECT_THAT(text,
              HasSubstr("5 directed runs beside them for potential deadlocks: 0 confirmed\n"));
  EXPECT_THAT(text, HasSubstr("promise: a promise"));
  warned.findings.push_back(finding());
  text = summary_text(warned, "", false);
  EXPECT_THAT(text, HasSubstr("1 finding, 1 warning in 1,200 runs"));
  EXPECT_THAT(text, Not(HasSubstr("promise")));
}

TEST(Summary, ADirectedRunIsNoneOfTheSearch) {
  facts::Finding directed = finding();
  directed.directed_run = 2;
  EXPECT_THAT(finding_text(directed, ""),
              HasSubstr("in directed run 2, after 37 runs: 52 steps, 1 preemption"));
}

}  // namespace
}  // namespace raddle::cli
