// SPDX-License-Identifier: Apache-2.0
//
// Estimates of spaces whose sizes are known. Tests only.
#include "search/tree_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/rng.h"
#include "policy/dfs_step.h"
#include "search/fringe.h"

namespace raddle::search {
namespace {

using wire::ChoiceRecord;

// How many can be picked at a choice, by what was picked before it; 0: the run has ended.
using Program = std::function<std::uint32_t(std::span<const std::uint16_t> picks)>;

Program even(std::size_t depth, std::uint32_t wide) {
  return [=](std::span<const std::uint16_t> picks) { return picks.size() < depth ? wide : 0; };
}

// The more often 0 is picked, the sooner it ends.
std::uint32_t uneven(std::span<const std::uint16_t> picks) {
  std::size_t length = picks.size();
  for (std::uint16_t pick : picks) length += pick == 0;
  return length < 14 ? 2 + picks.size() % 2 : 0;
}

std::uint64_t count(const Program& program, std::vector<std::uint16_t> picks = {}) {
  std::uint32_t wide = program(picks);
  if (wide == 0) return 1;
  std::uint64_t sum = 0;
  for (std::uint16_t pick = 0; pick < wide; ++pick) {
    picks.push_back(pick);
    sum += count(program, picks);
    picks.pop_back();
  }
  return sum;
}

// A search through all executions of a program; 0 is the default.
class Walk {
 public:
  Walk(Program program, std::function<std::uint64_t()> priority)
      : program_(std::move(program)), priority_(std::move(priority)) {
    NodeId root = tree_.add_root();
    estimate_.begin(root);
    fringe_.push(root, 0);
  }

  bool run_one() {
    std::optional<Open> open = fringe_.pop();
    if (!open) return false;
    std::vector<Delta> deltas;
    tree_.deltas(open->node, deltas);
    std::vector<TreeEstimate::Child> children;
    std::vector<std::uint16_t> picks;
    std::uint32_t first = tree_.first_new_choice(open->node);
    auto delta = deltas.begin();
    while (std::uint32_t wide = program_(picks)) {
      auto choice = static_cast<std::uint32_t>(picks.size());
      bool departs = delta != deltas.end() && delta->choice == choice;
      picks.push_back(departs ? (delta++)->pick : 0);
      for (std::uint16_t pick = 1; choice >= first && pick < wide; ++pick) {
        children.push_back(
            {tree_.add(open->node, {choice, pick, static_cast<std::uint8_t>(wide), false}),
             choice});
        fringe_.push(children.back().node, priority_());
      }
    }
    estimate_.executed(open->node, children);
    tree_.executed(open->node);
    return true;
  }

  // The weights of what was run and of what is open.
  long double whole() {
    long double sum = estimate_.explored();
    fringe_.visit_worst(fringe_.size(), [&](const Open& open) {
      sum += std::exp2(static_cast<long double>(estimate_.weight(open.node)));
    });
    return sum;
  }
  TreeEstimate& estimate() { return estimate_; }
  bool complete() const { return fringe_.empty(); }

 private:
  Program program_;
  std::function<std::uint64_t()> priority_;
  ExecutionTree tree_;
  Fringe fringe_;
  TreeEstimate estimate_;
};

std::uint64_t depth_first() { return 0; }

TEST(TreeEstimate, AnEvenTreeIsKnownFromTheFirstRunOn) {
  Rng rng(1);
  for (int by_lot = 0; by_lot < 2; ++by_lot) {
    Walk walk(even(6, 3), [&]() -> std::uint64_t { return by_lot ? rng.below(1u << 30) : 0; });
    for (int runs = 1; walk.run_one(); ++runs) {
      SpaceEstimate now = walk.estimate().now(walk.complete());
      EXPECT_NEAR(static_cast<double>(now.total), 729, 0.1) << runs;
      EXPECT_NEAR(static_cast<double>(now.done), runs / 729.0, 0.001);
    }
    EXPECT_EQ(walk.estimate().runs(), 729u);
  }
}

TEST(TreeEstimate, WeightIsNeitherLostNorMadeAndAtTheEndTheEstimateIsTheCount) {
  std::uint64_t all = count(uneven);
  ASSERT_GT(all, 500u);
  Rng rng(2);
  for (int order = 0; order < 3; ++order) {
    std::uint64_t number = 0;
    Walk walk(uneven, [&]() -> std::uint64_t {
      return order == 0 ? 0 : order == 1 ? ++number : rng.below(1u << 30);
    });
    long double done = 0;
    while (walk.run_one()) {
      SpaceEstimate now = walk.estimate().now(walk.complete());
      EXPECT_GT(now.done, done) << "never less than before";
      done = now.done;
      EXPECT_EQ(now.complete, walk.complete());
      if (!now.complete) {
        EXPECT_LT(now.done, 1);
        EXPECT_GT(now.total, walk.estimate().runs());
      }
      if (walk.estimate().runs() % 50 == 1) {
        EXPECT_NEAR(static_cast<double>(walk.whole()), 1, 1e-4);
      }
    }
    SpaceEstimate now = walk.estimate().now(true);
    EXPECT_EQ(now.total, all);
    EXPECT_EQ(now.done, 1);
    EXPECT_NEAR(static_cast<double>(walk.estimate().explored()), 1, 1e-4);
  }
}

// In the middle of a search by lot, and of one depth first, an uneven tree is not missed by much.
TEST(TreeEstimate, AnUnevenTreeIsEstimatedWithinAFactor) {
  auto all = static_cast<double>(count(uneven));
  Rng rng(3);
  for (int by_lot = 0; by_lot < 2; ++by_lot) {
    Walk walk(uneven, [&]() -> std::uint64_t { return by_lot ? rng.below(1u << 30) : 0; });
    while (static_cast<double>(walk.estimate().runs()) < all * 0.3) walk.run_one();
    auto total = static_cast<double>(walk.estimate().now(false).total);
    EXPECT_GT(total, all / 3) << by_lot;
    EXPECT_LT(total, all * 3) << by_lot;
  }
}

// As DPOR finds them: late, and at choices before the node's own. Some are never run.
TEST(TreeEstimate, ChildrenOfAncestorsShareTheWeightOfTheRunThatFoundThem) {
  TreeEstimate estimate;
  estimate.begin(0);
  std::vector<TreeEstimate::Child> first{{7, 4}};
  estimate.executed(0, first);
  EXPECT_EQ(estimate.weight(7), -1);
  std::vector<TreeEstimate::Child> second{{9, 8}, {3, 2}, {8, 8}};
  estimate.executed(7, second);
  EXPECT_EQ(estimate.weight(3), -2) << "1/2 of 1/2";
  EXPECT_FLOAT_EQ(estimate.weight(8), -2 - std::log2(3.f));
  EXPECT_FLOAT_EQ(estimate.weight(9), -2 - std::log2(3.f));
  EXPECT_NEAR(static_cast<double>(estimate.explored()), 0.5 + 0.25 / 3, 1e-6);
  estimate.executed(8, {});
  estimate.dropped(9);
  EXPECT_EQ(estimate.runs(), 3u);
  EXPECT_NEAR(static_cast<double>(estimate.explored()), 0.75, 1e-6);
  EXPECT_NEAR(static_cast<double>(estimate.now(false).total), 4, 1e-4);
  estimate.executed(3, {});
  EXPECT_EQ(estimate.now(true).total, 4);
}

TEST(TreeEstimate, LongRunsDoNotLeaveTheRangeOfNumbers) {
  Walk walk(even(3000, 4), depth_first);
  for (int i = 0; i < 20; ++i) walk.run_one();
  SpaceEstimate now = walk.estimate().now(false);
  EXPECT_NEAR(static_cast<double>(std::log10(now.total)), 3000 * std::log10(4.0), 0.1);
  EXPECT_EQ(now.text(), "an estimated 10^1806 runs, less than 0.01 % done");
  Walk longer(even(9000, 4), depth_first);
  longer.run_one();
  EXPECT_EQ(longer.estimate().now(false).text(),
            "an estimated more than 10^4900 runs, less than 0.01 % done");
}

TEST(TreeEstimate, ComesBackFromAFile) {
  Walk walk(uneven, depth_first);
  for (int i = 0; i < 100; ++i) walk.run_one();
  std::string saved = walk.estimate().save();
  TreeEstimate copy;
  ASSERT_TRUE(copy.load(saved));
  EXPECT_EQ(copy.runs(), 100u);
  EXPECT_NEAR(static_cast<double>(copy.now(false).total / walk.estimate().now(false).total), 1,
              1e-9);
  EXPECT_EQ(copy.save(), saved);
  EXPECT_FALSE(copy.load(saved.substr(0, saved.size() - 1)));
  EXPECT_FALSE(copy.load(saved.substr(0, saved.size() - 4)));
  EXPECT_FALSE(copy.load("short"));
  TreeEstimate fresh, other;
  ASSERT_TRUE(other.load(fresh.save()));
  EXPECT_EQ(other.runs(), 0u);
  EXPECT_EQ(other.explored(), 0);
}

TEST(SpaceEstimate, IsPutIntoWords) {
  EXPECT_EQ(estimate_of(0, 0, false).text(), "no estimate before the first run");
  EXPECT_EQ(estimate_of(90, 1, true).text(), "all 90 runs");
  EXPECT_EQ(estimate_of(1, 1, true).text(), "all 1 run");
  EXPECT_EQ(estimate_of(1234567, 1, true).text(), "all 1,234,567 runs");
  EXPECT_EQ(estimate_of(400, 0.333L, false).text(), "an estimated 1,200 runs, 33 % done");
  SpaceEstimate low = estimate_of(400, 0.333L, false);
  low.at_least = true;
  EXPECT_EQ(low.text(), "an estimated 1,200 runs or more, at most 33 % done");
  EXPECT_EQ(estimate_of(1000, 0.00123L, false).text(), "an estimated 810,000 runs, 0.12 % done");
  EXPECT_EQ(estimate_of(9999, 0.99999L, false).text(), "an estimated 10,000 runs, 99 % done");
  EXPECT_EQ(estimate_of(100, 1.0001L, false).text(), "an estimated 100 runs, 99 % done");
  EXPECT_EQ(estimate_of(1, 0, false).text(),
            "an estimated more than 10^4900 runs, less than 0.01 % done");
}

std::vector<ChoiceRecord> run_of(
    const Program& program, const std::function<std::uint16_t(std::size_t, std::uint32_t)>& pick) {
  std::vector<std::uint16_t> picks;
  std::vector<ChoiceRecord> choices;
  while (std::uint32_t wide = program(picks)) {
    picks.push_back(pick(picks.size(), wide));
    choices.push_back({0, picks.back(), wire::OpKind::value, static_cast<std::uint8_t>(wide)});
  }
  return choices;
}

// The runs made weigh what the next path says.
TEST(DepthFirstEstimate, ThePathTellsHowMuchIsDone) {
  std::vector<ChoiceRecord> ranks(100);
  policy::DfsPath path{ranks.data(), 0, false};
  long double explored = 0;
  std::uint64_t runs = 0;
  for (policy::DfsStep step = policy::DfsStep::next; step == policy::DfsStep::next; ++runs) {
    ASSERT_NEAR(static_cast<double>(explored_before({ranks.data(), path.count})),
                static_cast<double>(explored), 1e-12);
    std::vector<ChoiceRecord> choices = run_of(uneven, [&](std::size_t at, std::uint32_t) {
      return at < path.count ? ranks[at].picked : std::uint16_t{0};
    });
    long double weight = 1;
    for (const ChoiceRecord& choice : choices) weight /= choice.enabled;
    explored += weight;
    step = policy::dfs_next(path, choices.data(), static_cast<std::uint32_t>(choices.size()));
  }
  EXPECT_EQ(runs, count(uneven));
  EXPECT_NEAR(static_cast<double>(explored), 1, 1e-12);
}

TEST(ProbeEstimate, TheMeanOfRunsByLotIsTheCount) {
  Rng rng(4);
  ProbeEstimate estimate;
  EXPECT_EQ(estimate.mean(), 0);
  for (int i = 0; i < 20000; ++i)
    estimate.add(run_of(uneven, [&](std::size_t, std::uint32_t wide) {
      return static_cast<std::uint16_t>(rng.below(wide));
    }));
  auto all = static_cast<double>(count(uneven));
  auto error = static_cast<double>(estimate.relative_error());
  EXPECT_LT(error, 0.05);
  EXPECT_GT(error, 0.0001);
  EXPECT_NEAR(static_cast<double>(estimate.mean()), all, 4 * error * all);
  EXPECT_EQ(estimate.probes(), 20000u);
}

TEST(ProbeEstimate, AnEvenTreeNeedsOneProbe) {
  ProbeEstimate estimate;
  for (int i = 0; i < 2; ++i)
    estimate.add(run_of(even(5, 4), [](std::size_t, std::uint32_t) { return std::uint16_t{1}; }));
  EXPECT_EQ(estimate.mean(), 1024);
  EXPECT_EQ(estimate.relative_error(), 0);
  ProbeEstimate huge;
  for (int i = 0; i < 2; ++i)
    huge.add(run_of(even(5000, 4), [](std::size_t, std::uint32_t) { return std::uint16_t{1}; }));
  EXPECT_TRUE(std::isinf(huge.relative_error()));
}

}  // namespace
}  // namespace raddle::search
