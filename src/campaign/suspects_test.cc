// SPDX-License-Identifier: Apache-2.0
//
// What a campaign knows of its suspects, and which of them are tried when.
#include "campaign/suspects.h"

#include <gtest/gtest.h>

#include <vector>

#include "detect/registry.h"

namespace raddle::campaign {
namespace {

using facts::FindingKind;

wire::Location lock(std::uint32_t number) {
  return wire::make_location(wire::Region::global, 0, 64 * number);
}

// Thread i + 1 holds lock i and wants the next one.
facts::Evidence circle(std::uint32_t size, SiteId site = 1) {
  facts::Evidence cycle;
  cycle.kind = FindingKind::potential_deadlock;
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t which : {i, (i + 1) % size}) {
      wire::Event event{};
      event.thread = static_cast<ThreadId>(i + 1);
      event.where = lock(which);
      event.site = site;
      cycle.events.push_back(event);
    }
  return cycle;
}

facts::Run deadlock_of(std::initializer_list<std::uint32_t> locks) {
  facts::Run run;
  run.verdict.kind = wire::VerdictKind::deadlock;
  for (std::uint32_t number : locks) {
    wire::ThreadReport report{};
    report.in_cycle = 1;
    report.where = lock(number);
    run.threads.push_back(report);
  }
  wire::ThreadReport bystander{};
  bystander.where = lock(9);
  run.threads.push_back(bystander);
  return run;
}

TEST(Suspects, WaitForTheSearchOrForItsEnd) {
  Suspects suspects;
  suspects.add(circle(2), 5);
  EXPECT_EQ(suspects.next_to_try(5 + kSearchFirst - 1, false), nullptr);
  Suspect* due = suspects.next_to_try(5 + kSearchFirst, false);
  ASSERT_NE(due, nullptr);
  EXPECT_EQ(due->run, 5u);
  EXPECT_EQ(suspects.next_to_try(1000, true), nullptr) << "each is tried once";
  suspects.add(circle(3), 6);
  EXPECT_NE(suspects.next_to_try(6, true), nullptr);
}

TEST(Suspects, AreKnownAgainAndBounded) {
  Suspects suspects;
  EXPECT_EQ(suspects.find(circle(2)), nullptr);
  Suspect* first = suspects.add(circle(2), 1);
  EXPECT_EQ(suspects.find(circle(2)), first);
  for (SiteId site = 2; site < 200; ++site) suspects.add(circle(2, site), 1);
  EXPECT_EQ(suspects.find(circle(2)), first) << "it has stayed where it was";
  EXPECT_FALSE(suspects.has_room(circle(2, 500)));
  EXPECT_EQ(suspects.add(circle(2, 500), 1), nullptr);
  std::size_t tried = 0;
  while (suspects.next_to_try(1, true) != nullptr) ++tried;
  EXPECT_EQ(tried, detect::detector_of(FindingKind::potential_deadlock)->suspects_max);
}

TEST(Suspects, ThatHaveComeAboutAreNotTried) {
  Suspects suspects;
  suspects.note_facts(deadlock_of({1, 0}));  // before it was suspected
  Suspect* real = suspects.add(circle(2), 1);
  Suspect* other = suspects.add(circle(3), 1);
  EXPECT_TRUE(suspects.has_come_about(*real));
  EXPECT_FALSE(suspects.has_come_about(*other));
  EXPECT_EQ(suspects.next_to_try(1, true), other);
}

TEST(Suspects, AreLeftOverIfTheyWereTriedOrCannotBe) {
  Suspects suspects;
  facts::Evidence unprotected = circle(2);
  unprotected.kind = FindingKind::inconsistent_locks;
  Suspect* careless = suspects.add(unprotected, 1);
  Suspect* tried = suspects.add(circle(2), 2);
  suspects.add(circle(3), 3);
  tried->tried = true;
  facts::Evidence race = circle(2);
  race.kind = FindingKind::data_race;
  suspects.add(race, 4);
  EXPECT_EQ(suspects.left_over(), (std::vector<Suspect*>{tried, careless}));
  careless->signature = "told";
  EXPECT_EQ(suspects.left_over(), (std::vector<Suspect*>{tried}));
}

TEST(Suspects, OfDifferentDetectorsAreDifferent) {
  Suspects suspects;
  facts::Evidence race = circle(2);
  race.kind = FindingKind::data_race;
  suspects.add(race, 1);
  EXPECT_EQ(suspects.find(circle(2)), nullptr);
  auto any = [](const facts::Evidence&) { return true; };
  EXPECT_TRUE(suspects.any_of(FindingKind::data_race, any));
  EXPECT_FALSE(suspects.any_of(FindingKind::potential_deadlock, any));
}

}  // namespace
}  // namespace raddle::campaign
