// SPDX-License-Identifier: Apache-2.0
//
// The sizes of property sets: the example of the paper, and what locks forbid. Engine side.
#include "analysis/property_sets.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/interleavings.h"
#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::OpKind;

constexpr OpKind R = OpKind::plain_read, W = OpKind::plain_write;
constexpr std::uint32_t u = 0, v = 1, kLock = 7;

// Figure 6.2: four threads, four accesses each, a read and a write of each of two variables.
const TinyProgram kFigure = {{{R, v}, {R, u}, {W, v}, {W, u}},
                             {{R, v}, {W, v}, {R, u}, {W, u}},
                             {{R, v}, {W, v}, {R, u}, {W, u}},
                             {{R, v}, {W, v}, {R, u}, {W, u}}};

std::vector<CriterionRun> one_run(const TinyProgram& program) {
  std::vector<wire::Event> events;
  for (std::size_t i = 0; i < program.size(); ++i)
    for (std::size_t j = 0; j < program[i].size(); ++j)
      events.push_back(Interleavings::event(i + 1, program[i][j].kind, program[i][j].where, 0,
                                            static_cast<SiteId>(100 * (i + 1) + j)));
  AccessCriteria criteria;
  return observe(criteria, events);
}

// How many interleavings of the figure have these accesses (thread, index) in this order.
std::uint64_t interleavings_with(const std::vector<std::pair<int, int>>& order) {
  std::map<std::vector<int>, std::uint64_t> ways = {{{0, 0, 0, 0, 0}, 1}};  // and how much of order
  for (int taken = 0; taken < 16; ++taken) {
    std::map<std::vector<int>, std::uint64_t> next;
    for (const auto& [state, count] : ways)
      for (int thread = 0; thread < 4; ++thread) {
        if (state[thread] == 4) continue;
        auto named = std::ranges::find(order, std::pair(thread, state[thread]));
        if (named != order.end() && named - order.begin() != state[4]) continue;
        std::vector<int> after = state;
        ++after[thread];
        after[4] += named != order.end() ? 1 : 0;
        next[after] += count;
      }
    ways = std::move(next);
  }
  std::uint64_t sum = 0;
  for (const auto& [state, count] : ways) sum += count;
  return sum;
}

TEST(PropertySets, SizesOfTheFigure) {
  std::vector<CriterionRun> run = one_run(kFigure);
  EXPECT_EQ(run[0].size, Count(63'063'000));
  EXPECT_EQ(run[1].size, Count(420));
  EXPECT_EQ(run[2].size, Count(72));
  EXPECT_EQ(run[3].size, Count(48));
  EXPECT_EQ(run[4].size, Count(32));
  EXPECT_EQ(run[5].size, Count(8));   // every pair of a read and a write, by a remote write
  EXPECT_EQ(run[6].size, Count(16));  // eight reads, all of which have others' writes
  EXPECT_EQ(run[3].predicted.size(), 48u);
  EXPECT_EQ(run[4].predicted.size(), 32u);
}

TEST(PropertySets, InterleavingsThatMeetOnePropertyOfTheFigure) {
  EXPECT_EQ(interleavings_with({}), 63'063'000u);
  EXPECT_EQ(interleavings_with({{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}, {1, 3}}),
            900'900u);
  EXPECT_EQ(interleavings_with({{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}}),
            900'900u);
  EXPECT_EQ(interleavings_with({{0, 0}, {0, 2}, {1, 0}, {1, 1}}), 4'504'500u);
}

TEST(PropertySets, FourThreadsOfNineAccessesAreBeyondAWord) {
  TinyProgram program(4, TinyThread(9, TinyOp{W, u}));
  Count all = *one_run(program)[0].size;
  EXPECT_TRUE(all.exact());
  EXPECT_EQ(all.text(), "21452752266265320000");  // 36! / 9!^4, more than 2^64
  EXPECT_LT(Count(UINT64_MAX), all);
  TinyProgram larger(8, TinyThread(40, TinyOp{W, u}));
  EXPECT_FALSE(one_run(larger)[0].size->exact());
}

// Random programs with one lock: what some interleaving shows has been predicted, and what locks
// forbid has not.
TEST(PropertySets, PredictionsHoldWhatAnyInterleavingShows) {
  Rng rng(7);
  std::size_t predicted_sum = 0, covered_sum = 0, size_sum = 0;
  for (int round = 0; round < 150; ++round) {
    TinyProgram program(2);
    for (TinyThread& thread : program) {
      auto access = [&] { return TinyOp{rng.below(2) == 0 ? R : W, rng.below(2)}; };
      thread = {access()};
      thread.push_back({OpKind::mutex_lock, kLock});
      for (unsigned i = 0; i < 1 + rng.below(2); ++i) thread.push_back(access());
      thread.push_back({OpKind::mutex_unlock, kLock});
      if (rng.below(2) == 0) thread.push_back(access());
    }
    AccessCriteria criteria;
    HashSets predicted, covered(kAccessCriteria);
    Interleavings(program).each([&](const std::vector<wire::Event>& events) {
      std::vector<CriterionRun> results = observe(criteria, events);
      if (predicted.empty()) {
        predicted = hashes(results, &CriterionRun::predicted);
        for (int i : {3, 4, 5, 6})
          if (results[i].size) size_sum += static_cast<std::size_t>(results[i].size->value());
      }
      HashSets shown = hashes(results, &CriterionRun::covered);
      for (std::size_t i = 0; i < kAccessCriteria; ++i)
        covered[i].insert(shown[i].begin(), shown[i].end());
    });
    for (std::size_t i = 3; i < kAccessCriteria; ++i) {
      EXPECT_TRUE(std::ranges::includes(predicted[i], covered[i])) << round << ", " << i;
      predicted_sum += predicted[i].size();
      covered_sum += covered[i].size();
    }
  }
  // Here and there both orders of two sections are impossible for other reasons.
  EXPECT_LE(predicted_sum, covered_sum * 105 / 100);
  EXPECT_LT(predicted_sum, size_sum);
}

TEST(PropertySets, WhatComesBeforeAndAfterTheThreadsIsNotBetween) {
  auto event = [](std::size_t thread, OpKind kind, SiteId site) {
    return Interleavings::event(thread, kind, u, 0, site);
  };
  auto threads = [](OpKind kind) { return Interleavings::event(0, kind, 0, 1); };
  std::vector<wire::Event> events = {
      event(0, W, 1), threads(OpKind::thread_create), event(1, R, 11), event(1, W, 12),
      event(0, R, 2), threads(OpKind::thread_join),   event(0, R, 3)};
  AccessCriteria criteria;
  std::vector<CriterionRun> results = observe(criteria, events);
  auto shown = [](const Property& property) {
    std::vector<SiteId> sites;
    for (const PropertyPart& part : property.used()) sites.push_back(part.site);
    return sites;
  };
  std::set<std::vector<SiteId>> pairs, reads;
  for (const Property& property : results[3].predicted) pairs.insert(shown(property));
  for (const Property& property : results[4].predicted) reads.insert(shown(property));
  EXPECT_EQ(pairs, (std::set<std::vector<SiteId>>{
                       {11, 2, 12}, {1, 11, 2}, {1, 12, 2}, {2, 11, 3}, {2, 12, 3}}));
  // The last read has nothing but the other thread's write; the first one of that thread only what
  // was there before.
  EXPECT_EQ(reads, (std::set<std::vector<SiteId>>{{1, 11}, {2}, {12, 2}, {12, 3}}));
}

}  // namespace
}  // namespace raddle::analysis
