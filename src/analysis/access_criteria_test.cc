// SPDX-License-Identifier: Apache-2.0
//
// The seven criteria against all interleavings of small programs. Engine side.
#include "analysis/access_criteria.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/interleavings.h"

namespace raddle::analysis {
namespace {

using wire::OpKind;

constexpr OpKind R = OpKind::plain_read, W = OpKind::plain_write;
constexpr std::uint32_t x = 0, y = 1;

const char* name(std::size_t criterion) {
  return AccessCriteria().criteria()[criterion].name.data();
}

HashSets covered_by_all(const TinyProgram& program) {
  AccessCriteria criteria;
  HashSets all(kAccessCriteria);
  Interleavings(program).each([&](const std::vector<wire::Event>& events) {
    HashSets covered = hashes(observe(criteria, events), &CriterionRun::covered);
    for (std::size_t i = 0; i < kAccessCriteria; ++i)
      all[i].insert(covered[i].begin(), covered[i].end());
  });
  return all;
}

std::vector<CriterionRun> first_run(const TinyProgram& program) {
  AccessCriteria criteria;
  std::vector<CriterionRun> results;
  Interleavings(program).each([&](const std::vector<wire::Event>& events) {
    if (results.empty()) results = observe(criteria, events);
  });
  return results;
}

const TinyProgram kPrograms[] = {
    {{{R, x}, {W, x}}, {{R, x}, {W, x}}},
    {{{R, x}, {W, x}, {R, x}}, {{W, x}, {W, x}, {R, x}}},
    {{{R, x}, {W, y}, {W, x}}, {{W, y}, {R, x}, {R, y}}},
    {{{R, x}, {W, x}}, {{R, x}, {W, x}}, {{R, x}, {W, x}}},
    {{{W, x}, {R, y}}, {{R, x}, {W, y}}, {{W, x}, {W, y}, {R, x}}},
    {{{OpKind::atomic_rmw, x}, {R, x}}, {{OpKind::atomic_rmw, x}, {W, x}}, {{R, x}}},
};

TEST(AccessCriteria, AllInterleavingsCoverExactlyThePropertySet) {
  for (std::size_t p = 0; p < std::size(kPrograms); ++p) {
    HashSets covered = covered_by_all(kPrograms[p]);
    std::vector<CriterionRun> first = first_run(kPrograms[p]);
    for (std::size_t i = 0; i < kAccessCriteria; ++i) {
      EXPECT_EQ(first[i].size, Count(covered[i].size())) << "program " << p << ", " << name(i);
      EXPECT_FALSE(first[i].truncated);
    }
  }
}

TEST(AccessCriteria, WithoutLocksPredictionsAreTheWholeSet) {
  for (const TinyProgram& program : kPrograms) {
    HashSets covered = covered_by_all(program);
    HashSets predicted = hashes(first_run(program), &CriterionRun::predicted);
    for (std::size_t i = 3; i < kAccessCriteria; ++i)
      EXPECT_EQ(predicted[i], covered[i]) << name(i);
  }
}

// What covers everything of a criterion covers everything of those that it subsumes, as what a run
// shows of it decides what it shows of them.
TEST(AccessCriteria, OneDecidesTheNext) {
  constexpr std::pair<int, int> kSubsumes[] = {{0, 1}, {1, 2}, {2, 3}, {2, 4},
                                               {2, 5}, {2, 6}, {4, 6}};
  for (const TinyProgram& program : kPrograms) {
    AccessCriteria criteria;
    std::map<std::pair<int, std::set<std::uint64_t>>, std::set<std::uint64_t>> decided;
    Interleavings(program).each([&](const std::vector<wire::Event>& events) {
      HashSets covered = hashes(observe(criteria, events), &CriterionRun::covered);
      for (int pair = 0; const auto& [strong, weak] : kSubsumes) {
        auto [known, fresh] = decided.try_emplace({pair++, covered[strong]}, covered[weak]);
        EXPECT_EQ(known->second, covered[weak]) << name(strong) << " and " << name(weak);
      }
    });
  }
}

// Runs that together show everything of the criterion: those that add something to it.
HashSets covered_by_complete_tests(const TinyProgram& program, std::size_t criterion) {
  AccessCriteria criteria;
  HashSets reached(kAccessCriteria);
  Interleavings(program).each([&](const std::vector<wire::Event>& events) {
    HashSets covered = hashes(observe(criteria, events), &CriterionRun::covered);
    if (std::ranges::includes(reached[criterion], covered[criterion])) return;
    for (std::size_t i = 0; i < kAccessCriteria; ++i)
      reached[i].insert(covered[i].begin(), covered[i].end());
  });
  return reached;
}

TEST(AccessCriteria, RunsThatCoverAStrongerCriterionCoverTheWeaker) {
  for (const TinyProgram& program : kPrograms) {
    HashSets all = covered_by_all(program);
    for (std::size_t strong = 0; strong < 3; ++strong) {
      HashSets reached = covered_by_complete_tests(program, strong);
      // What a property of two threads says, runs with every order of two threads show. Who defines
      // a read is a matter of all threads at once, and so is who is first between two accesses.
      std::size_t decided = strong == 0 || program.size() == 2 ? kAccessCriteria : 4;
      for (std::size_t weak = strong; weak < decided; ++weak)
        EXPECT_EQ(reached[weak], all[weak]) << name(strong) << " and " << name(weak);
    }
  }
}

// The paper says that svar subsumes def-use. With a third thread there are complete tests for the
// one that are not for the other.
TEST(AccessCriteria, OrdersOfTwoThreadsDoNotDecideDefinitionsOfThree) {
  const TinyProgram& three = kPrograms[3];
  HashSets reached = covered_by_complete_tests(three, 2), all = covered_by_all(three);
  EXPECT_EQ(reached[2], all[2]);
  EXPECT_LT(reached[4].size(), all[4].size());
}

TEST(AccessCriteria, TellsWhatItCovered) {
  // T1 reads, T2 writes, T1 writes: case 6.
  std::vector<wire::Event> events = {
      Interleavings::event(1, R, x, 0, 11), Interleavings::event(2, W, x, 0, 21),
      Interleavings::event(1, W, x, 0, 12), Interleavings::event(2, R, x, 0, 22)};
  AccessCriteria criteria;
  std::vector<CriterionRun> results = observe(criteria, events);
  const CriterionRun& pinv = results[static_cast<int>(AccessCriterion::pinv)];
  ASSERT_EQ(pinv.covered.size(), 2u);
  const Property& first = pinv.covered[0];
  ASSERT_EQ(first.count, 3);
  EXPECT_EQ(first.parts[0].site, 11u);
  EXPECT_EQ(first.parts[1].site, 21u);
  EXPECT_EQ(first.parts[1].kind, W);
  EXPECT_EQ(first.parts[1].thread, 2);
  EXPECT_EQ(first.parts[2].site, 12u);
  EXPECT_EQ(results[static_cast<int>(AccessCriterion::lr_inv)].covered.size(), 2u);
  const CriterionRun& def_use = results[static_cast<int>(AccessCriterion::def_use)];
  ASSERT_EQ(def_use.covered.size(), 2u);
  EXPECT_EQ(def_use.covered[0].form, kDefinedHere);
  EXPECT_EQ(def_use.covered[1].form, kDefinedElsewhere);
  EXPECT_EQ(def_use.covered[1].parts[0].site, 12u);
  EXPECT_EQ(def_use.covered[1].parts[1].site, 22u);
}

TEST(AccessCriteria, DataOfOneThreadIsLeftOut) {
  AccessCriteria criteria;
  std::vector<CriterionRun> results =
      observe(criteria, {Interleavings::event(1, R, x, 0, 11), Interleavings::event(1, W, x, 0, 12),
                         Interleavings::event(2, W, y, 0, 21)});
  for (const CriterionRun& result : results) EXPECT_TRUE(result.covered.empty());
}

TEST(AccessCriteria, LoopsAreBounded) {
  AccessCriteria criteria;
  std::vector<wire::Event> events;
  std::set<std::uint64_t> covered;
  for (std::uint32_t round = 0; round < 20'000; ++round)
    for (std::uint32_t thread = 1; thread <= 2; ++thread) {
      events.push_back(Interleavings::event(thread, R, x, 0, 10 * thread));
      events.push_back(Interleavings::event(thread, W, x, 0, 10 * thread + 1));
    }
  std::vector<CriterionRun> results = observe(criteria, events);
  // Every pair of accesses next to each other, by the first few and all later executions.
  EXPECT_LE(results[static_cast<int>(AccessCriterion::pinv)].covered.size(), 2u * 2 * kNthMax * 4);
  EXPECT_LE(results[static_cast<int>(AccessCriterion::def_use)].covered.size(), 2u * kNthMax * 4);
  EXPECT_FALSE(results[0].size->exact());
  EXPECT_NEAR(results[0].size->log2(), 80'000, 20);
}

}  // namespace
}  // namespace raddle::analysis
