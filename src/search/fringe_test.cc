// SPDX-License-Identifier: Apache-2.0
//
// The fringe held against a list that is searched from end to end. Tests only.
#include "search/fringe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/rng.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;

std::vector<NodeId> drain(Fringe& fringe) {
  std::vector<NodeId> nodes;
  while (auto open = fringe.pop()) nodes.push_back(open->node);
  return nodes;
}

std::vector<NodeId> worst(Fringe& fringe, std::size_t count) {
  std::vector<NodeId> nodes;
  fringe.visit_worst(count, [&](const Open& open) { nodes.push_back(open.node); });
  return nodes;
}

TEST(Fringe, TheLowestNumberFirstAndOfEqualsTheLastAdded) {
  Fringe fringe;
  EXPECT_FALSE(fringe.pop());
  EXPECT_FALSE(fringe.best());
  fringe.push(1, 5);
  fringe.push(2, 3);
  fringe.push(3, 5);
  fringe.push(4, 3);
  fringe.push(5, std::numeric_limits<std::uint64_t>::max());
  fringe.push(6, 0);
  EXPECT_EQ(fringe.best(), 0u);
  EXPECT_EQ(fringe.pop(), (Open{6, 0}));
  EXPECT_EQ(fringe.best(), 3u);
  EXPECT_THAT(worst(fringe, 3), ElementsAre(5, 1, 3));
  EXPECT_THAT(drain(fringe), ElementsAre(4, 2, 3, 1, 5));
  EXPECT_EQ(fringe.bytes(), 0u);
  EXPECT_EQ(fringe.peak(), 6u);
}

// Every order of two, with each of them in a bin or in the heap.
TEST(Fringe, BinsAndHeapAgreeOnEquals) {
  Fringe fringe(1);
  fringe.push(1, 7);  // a bin
  fringe.push(2, 9);  // the heap
  fringe.push(3, 7);
  EXPECT_EQ(fringe.pop()->node, 3u);
  EXPECT_EQ(fringe.pop()->node, 1u);
  fringe.push(4, 9);  // a bin, now that there is room
  fringe.push(5, 8);  // the heap
  EXPECT_THAT(worst(fringe, 9), ElementsAre(2, 4, 5));
  EXPECT_THAT(drain(fringe), ElementsAre(5, 4, 2));
}

class Naive {
 public:
  void push(NodeId node, std::uint64_t priority) { list_.push_back({node, priority}); }
  std::optional<Open> pop() {
    if (list_.empty()) return std::nullopt;
    // The last of the lowest.
    auto best = std::min_element(list_.rbegin(), list_.rend(), lower);
    Open open = *best;
    list_.erase(std::next(best).base());
    return open;
  }
  std::vector<Open> worst(std::size_t count) const {
    std::vector<Open> sorted(list_);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Open& a, const Open& b) { return a.priority > b.priority; });
    sorted.resize(std::min(count, sorted.size()));
    return sorted;
  }
  void drop_worst(std::size_t count) {
    for (const Open& open : worst(count)) list_.erase(std::find(list_.begin(), list_.end(), open));
  }
  std::size_t size() const { return list_.size(); }

 private:
  static bool lower(const Open& a, const Open& b) { return a.priority < b.priority; }
  std::vector<Open> list_;
};

void compare(Fringe& fringe, std::uint64_t seed, std::uint32_t priorities) {
  Rng rng(seed);
  Naive naive;
  for (NodeId node = 0; node < 1500; ++node) {
    std::uint32_t what = rng.below(20);
    if (what < 12) {
      std::uint64_t priority = std::uint64_t{rng.below(priorities)} << rng.below(3) * 16;
      fringe.push(node, priority);
      naive.push(node, priority);
    } else if (what < 19) {
      ASSERT_EQ(fringe.pop(), naive.pop());
    } else {
      std::size_t count = rng.below(static_cast<std::uint32_t>(naive.size()) + 1) / 4;
      std::vector<Open> worst;
      fringe.visit_worst(count, [&](const Open& open) { worst.push_back(open); });
      ASSERT_EQ(worst, naive.worst(count));
      fringe.drop_worst(count);
      naive.drop_worst(count);
    }
    ASSERT_EQ(fringe.size(), naive.size());
  }
  while (auto open = naive.pop()) ASSERT_EQ(fringe.pop(), open);
  EXPECT_TRUE(fringe.empty());
  EXPECT_EQ(fringe.bytes(), 0u);
}

TEST(Fringe, GivesTheOrderOfTheNaiveList) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (std::size_t bins : {0, 1, 3, 1024})
      for (std::uint32_t priorities : {1, 4, 50, 100000}) {
        Fringe fringe(bins);
        compare(fringe, seed, priorities);
        ASSERT_FALSE(testing::Test::HasFatalFailure())
            << "seed " << seed << ", " << bins << " bins, " << priorities << " priorities";
      }
}

TEST(Fringe, RanksThatRunOutBeginAnew) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Fringe fringe(1, std::numeric_limits<std::uint32_t>::max() - 200);
    compare(fringe, seed, 4);
  }
}

// Bins: few priorities. The heap: all are distinct.
TEST(Fringe, AnEntryTakesAtMostSixteenBytes) {
  for (std::uint32_t priorities : {3u, 0xffffffffu}) {
    Fringe fringe;
    Rng rng(1);
    for (NodeId node = 0; node < 200000; ++node) {
      fringe.push(node, rng.below(priorities));
      ASSERT_LE(fringe.bytes(), fringe.size() * 16 + 200000);
    }
    std::size_t full = fringe.bytes();
    while (fringe.size() > 100000) fringe.pop();
    EXPECT_LE(fringe.bytes(), fringe.size() * 16 + 200000);
    EXPECT_LT(fringe.bytes(), full);
    EXPECT_GE(fringe.peak_bytes(), full);
  }
}

}  // namespace
}  // namespace raddle::search
