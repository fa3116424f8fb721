// SPDX-License-Identifier: Apache-2.0
//
// Causes of failures on runs made by hand. Engine side.
#include "analysis/postmortem.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

constexpr OpKind kRead = OpKind::plain_read, kWrite = OpKind::plain_write;

struct Line {
  ThreadId thread;
  OpKind kind;
  char variable;
  SiteId place;
};
using Lines = std::vector<Line>;

struct Stream {
  explicit Stream(const Lines& lines) {
    for (const Line& line : lines) {
      Event event{};
      event.thread = line.thread;
      event.kind = line.kind;
      event.where =
          wire::make_location(wire::Region::global, 0, 16u * static_cast<unsigned>(line.variable));
      event.size = wire::is_memory_access(line.kind) ? 8 : 0;
      events.push_back(event);
      places.push_back(line.place);
    }
  }
  Traits traits() const { return TraitReader().read(events, places); }

  std::vector<Event> events;
  std::vector<SiteId> places;
};

// Places from 1000 on are a library's.
std::vector<Cause> causes_of(const Lines& failing, const std::vector<Lines>& passing,
                             const std::vector<Lines>& also_failing = {}, bool evident = false) {
  Stream stream(failing);
  Traits traits = stream.traits();
  Neighbourhood others;
  for (const Lines& lines : passing) others.passing.push_back(Stream(lines).traits());
  for (const Lines& lines : also_failing) others.failing.push_back(Stream(lines).traits());
  return Postmortem(stream.events, stream.places, traits, others,
                    [](SiteId place) { return place < 1000; })
      .causes(evident);
}

Lines operator+(Lines a, const Lines& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// --- two threads that add to x ---

Lines add(ThreadId thread) { return {{thread, kRead, 'x', 10}, {thread, kWrite, 'x', 11}}; }

TEST(Postmortem, ALostUpdateIsAMatterOfAtomicity) {
  Lines lost = {
      {1, kRead, 'x', 10}, {2, kRead, 'x', 10}, {2, kWrite, 'x', 11}, {1, kWrite, 'x', 11}};
  std::vector<Cause> causes = causes_of(lost, {add(1) + add(2), add(2) + add(1)});
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].label, Label::atomicity);
  EXPECT_EQ(causes[0].reason, Reason::interleaved);
  EXPECT_EQ(causes[0].number, 6);
  EXPECT_EQ(causes[0].events, (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(causes[0].orders, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 2}}));
}

TEST(Postmortem, WhatPassingRunsDoIsNoCause) {
  Lines lost = {
      {1, kRead, 'x', 10}, {2, kRead, 'x', 10}, {2, kWrite, 'x', 11}, {1, kWrite, 'x', 11}};
  EXPECT_TRUE(causes_of(lost, {lost, add(1) + add(2)}).empty());
  EXPECT_TRUE(causes_of(lost, {}).empty()) << "nothing to compare with";
}

// --- check and use ---

TEST(Postmortem, ChecksThatMayComeOnBothSidesAreAtomicity) {
  Line check{1, kRead, 'p', 10}, use{1, kRead, 'p', 11}, clear{2, kWrite, 'p', 20};
  std::vector<Cause> causes = causes_of({check, clear, use}, {{check, use, clear}, {clear, check}});
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].label, Label::atomicity);
  EXPECT_EQ(causes[0].usual_side, Side::both);
  EXPECT_EQ(causes.size(), 1u) << "that the use reads what was cleared is a part of it";
}

TEST(Postmortem, AnOrderThatAlwaysHoldsIsAMatterOfOrder) {
  // Only ever cleared when all is over, or set before anything else.
  Line check{1, kRead, 'p', 10}, use{1, kRead, 'p', 11}, clear{2, kWrite, 'p', 20};
  std::vector<Cause> causes = causes_of({check, clear, use}, {{check, use, clear}});
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].label, Label::order);
  EXPECT_EQ(causes[0].usual_side, Side::after);
  causes = causes_of({check, clear, use}, {{clear, check, use}});
  auto interleaved = std::ranges::find(causes, Reason::interleaved, &Cause::reason);
  ASSERT_NE(interleaved, causes.end());
  EXPECT_EQ(interleaved->usual_side, Side::before);
  EXPECT_EQ(interleaved->label, Label::order);
  // But one that can do without the other need not wait for it.
  causes = causes_of({check, clear, use}, {{clear, check, use}, {check, use}});
  interleaved = std::ranges::find(causes, Reason::interleaved, &Cause::reason);
  ASSERT_NE(interleaved, causes.end());
  EXPECT_EQ(interleaved->label, Label::atomicity);
}

TEST(Postmortem, ThreadsThatRunTheSameCodeHaveNoOrder) {
  // Whoever is first sets it up; the other finds it done.
  Line one{1, kRead, 'f', 10}, set1{1, kWrite, 'f', 11}, two{2, kRead, 'f', 10},
      set2{2, kWrite, 'f', 11};
  std::vector<Cause> causes =
      causes_of({one, two, set2, set1}, {{one, set1, two}, {two, set2, one}});
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].label, Label::atomicity);
}

// --- definitions and uses ---

TEST(Postmortem, UsesBeforeTheInitialisation) {
  Line set{1, kWrite, 'x', 10}, use{2, kRead, 'x', 20};
  std::vector<Cause> causes = causes_of({use, set}, {{set, use}});
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].label, Label::order);
  EXPECT_EQ(causes[0].pair.kind, Dependence::initial_use);
  EXPECT_EQ(causes[0].usual, std::vector<SiteId>{10});
  EXPECT_EQ(causes[0].events, (std::vector<std::size_t>{0, 1})) << "it is set too late";
  causes = causes_of({use}, {{set, use}});
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].events, std::vector<std::size_t>{0}) << "it never is";
}

TEST(Postmortem, UsesAfterTheEnd) {
  Line use{1, kWrite, 'x', 10}, end{2, OpKind::memory_free, 'x', 20};
  std::vector<Cause> causes = causes_of({end, use}, {{use, end}});
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].pair.kind, Dependence::use_after_end);
  EXPECT_EQ(causes[0].events, (std::vector<std::size_t>{0, 1}));
}

// --- two variables ---

TEST(Postmortem, PairsThatDifferOnlyTogether) {
  Line read_x{2, kRead, 'x', 20}, read_y{2, kRead, 'y', 21};
  Line write_x{1, kWrite, 'x', 10}, write_y{1, kWrite, 'y', 11};
  std::vector<Lines> passing = {{write_x, write_y, read_x, read_y},
                                {read_x, read_y, write_x, write_y}};
  std::vector<Cause> causes = causes_of({read_x, write_x, write_y, read_y}, passing);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].label, Label::multi_variable);
  EXPECT_EQ(causes[0].events, (std::vector<std::size_t>{0, 1, 2, 3}));
  // One of the two alone is the cause if it never passes.
  passing.pop_back();
  causes = causes_of({read_x, write_x, write_y, read_y}, passing);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].label, Label::order);
}

// --- ranks ---

TEST(Postmortem, WhatAllFailuresHaveComesFirst) {
  Line set{1, kWrite, 'x', 10}, use{2, kRead, 'x', 20};
  Line set_y{1, kWrite, 'y', 11}, use_y{2, kRead, 'y', 21};
  Lines failing = {use_y, use, set, set_y};
  std::vector<Cause> causes =
      causes_of(failing, {{set, set_y, use, use_y}}, {{set_y, use, use_y, set}});
  ASSERT_GE(causes.size(), 2u);
  EXPECT_EQ(causes[0].pair.second, 20u);
  EXPECT_EQ(causes[0].failing, 1u);
  EXPECT_EQ(causes[1].pair.second, 21u);
  EXPECT_EQ(causes[1].failing, 0u);
}

TEST(Postmortem, LibrariesAndPlacesReachedByFailuresOnlyComeLast) {
  Line set{1, kWrite, 'x', 10}, use{2, kRead, 'x', 20};
  Line inner{2, kRead, 'l', 1020}, inner_set{1, kWrite, 'l', 1010}, handler{2, kRead, 'y', 30};
  std::vector<Cause> causes =
      causes_of({inner, handler, use, set, inner_set}, {{set, inner_set, use, inner}});
  ASSERT_EQ(causes.size(), 3u);
  EXPECT_EQ(causes[0].pair.second, 20u);
  EXPECT_EQ(causes[1].pair.second, 30u);
  EXPECT_TRUE(causes[1].only_here);
  EXPECT_EQ(causes[2].pair.second, 1020u);
  EXPECT_TRUE(causes[2].in_library);
}

// --- orders of single operations ---

TEST(Postmortem, WithoutTraitsSingleOrdersAreTold) {
  Line lock1{1, OpKind::mutex_lock, 'm', 10}, unlock1{1, OpKind::mutex_unlock, 'm', 11};
  Line lock2{2, OpKind::mutex_lock, 'm', 20}, unlock2{2, OpKind::mutex_unlock, 'm', 21};
  Lines failing = {lock1, unlock1, lock2, unlock2}, passing = {lock2, unlock2, lock1, unlock1};
  std::vector<Cause> causes = causes_of(failing, {passing});
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].reason, Reason::reversed);
  EXPECT_EQ(causes[0].events, (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(causes_of(failing, {passing}, {}, true).empty()) << "something is known already";
  EXPECT_TRUE(causes_of(failing, {failing}).empty());
}

TEST(Postmortem, DistancesCountOrders) {
  Traits one = Stream(add(1) + add(2)).traits(), other = Stream(add(2) + add(1)).traits();
  EXPECT_EQ(distance(one, one), 0u);
  EXPECT_GT(distance(one, other), 0u);
  EXPECT_EQ(distance(one, other), distance(other, one));
}

}  // namespace
}  // namespace raddle::analysis
