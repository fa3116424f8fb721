// SPDX-License-Identifier: Apache-2.0
//
// A search whose state is mostly on disk does what it does without a limit; disks that fail lose
// nothing. Tests only.
#include "search/overflow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <map>

#include "base/rng.h"

namespace raddle::search {
namespace {

using ::testing::HasSubstr;

std::string temporary_directory() { return ::testing::TempDir(); }

// A search of an imaginary program, in which what a run shows is a function of its deltas.
struct Shape {
  std::uint64_t seed = 0;
  std::uint32_t priorities = 3;  // distinct ones
  bool to_ancestors = false;     // as DPOR does, some children go to ancestors
  std::size_t runs = 600;        // that add children
};

class Search {
 public:
  Search(const Shape& shape, OverflowOptions options)
      : shape_(shape), overflow_(tree_, fringe_, std::move(options), hooks()) {
    NodeId root = tree_.add_root();
    payloads_[root] = 0;
    fringe_.push(root, 0);
  }

  // Runs until nothing is left, or settle() fails (then last() says why). What was run: the deltas
  // and the payload of each, as one number.
  std::vector<std::uint64_t> run_all() {
    std::vector<std::uint64_t> trace;
    while ((last_ = overflow_.settle())) {
      std::optional<Open> open = fringe_.pop();
      if (!open) break;
      trace.push_back(run(*open));
      most_in_memory_ = std::max(most_in_memory_, fringe_.size());
    }
    return trace;
  }

  const Status& last() const { return last_; }
  ExecutionTree& tree() { return tree_; }
  Fringe& fringe() { return fringe_; }
  Overflow& overflow() { return overflow_; }
  std::size_t payloads() const { return payloads_.size(); }
  std::size_t most_in_memory() const { return most_in_memory_; }

 private:
  OverflowHooks hooks() {
    return {.payload =
                [this](NodeId id) {
                  return NodePayload{payloads_.at(id), static_cast<float>(payloads_.at(id) % 1000)};
                },
            .restored =
                [this](NodeId id, const NodePayload& payload) {
                  EXPECT_EQ(payload.weight, static_cast<float>(payload.sleep % 1000));
                  set_payload(id, payload.sleep);
                },
            .deleted = [this](NodeId id) { payloads_.erase(id); }};
  }
  void set_payload(NodeId id, std::uint64_t payload) {
    EXPECT_TRUE(payloads_.emplace(id, payload).second) << "the side table missed a deletion";
  }

  std::uint64_t run(const Open& open) {
    std::vector<Delta> deltas;
    tree_.deltas(open.node, deltas);
    std::uint64_t what = mix64(payloads_.at(open.node) + open.priority);
    for (const Delta& delta : deltas) what = mix64(what ^ (delta.choice + delta.pick * 1000003ull));
    Rng rng(what + shape_.seed);
    // The first ones are fertile, so that the search does not end before it has begun.
    std::uint32_t children = runs_ < 10 ? 4 : runs_ < shape_.runs ? rng.below(6) : 0;
    ++runs_;
    for (std::uint32_t i = 0; i < children; ++i) {
      std::uint32_t first = tree_.first_new_choice(open.node);
      std::uint32_t choice = shape_.to_ancestors ? rng.below(first + 3) : first + rng.below(3);
      Delta delta{choice, static_cast<std::uint16_t>(rng.below(5)), 5, rng.below(9) == 0};
      NodeId child = tree_.add(tree_.owner(open.node, choice), delta);
      set_payload(child, rng.next());
      fringe_.push(child, rng.below(shape_.priorities));
    }
    tree_.executed(open.node, [this](NodeId id) { payloads_.erase(id); });
    return what;
  }

  Shape shape_;
  ExecutionTree tree_;
  Fringe fringe_{16};
  std::map<NodeId, std::uint64_t> payloads_;
  Overflow overflow_;
  Status last_ = Done{};
  std::size_t runs_ = 0;
  std::size_t most_in_memory_ = 0;
};

void expect_same_with_limit(const Shape& shape, const OverflowOptions& options) {
  Search unlimited(shape, {});
  std::vector<std::uint64_t> expected = unlimited.run_all();
  EXPECT_EQ(unlimited.overflow().peak_on_disk(), 0u);
  Search limited(shape, options);
  std::vector<std::uint64_t> trace = limited.run_all();
  EXPECT_TRUE(trace == expected) << trace.size() << " runs, " << expected.size() << " expected";
  EXPECT_GT(unlimited.most_in_memory(), 200u);
  EXPECT_GT(limited.overflow().peak_on_disk(), 100u);
  EXPECT_LT(limited.most_in_memory(), unlimited.most_in_memory() / 2);
  EXPECT_TRUE(limited.tree().empty());
  EXPECT_EQ(limited.payloads(), 0u);
  EXPECT_EQ(limited.overflow().on_disk(), 0u);
  EXPECT_EQ(limited.overflow().files(), 0u);
  EXPECT_EQ(limited.overflow().disk_bytes(), 0u);
}

TEST(Overflow, TheOrderIsTheOneWithoutALimit) {
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    for (std::uint32_t priorities : {1u, 3u, 0xffffffffu})
      for (bool to_ancestors : {false, true})
        for (bool keep_ancestors : {true, false}) {
          if (to_ancestors && !keep_ancestors) continue;
          SCOPED_TRACE(testing::Message() << "seed " << seed << ", priorities " << priorities
                                          << ", " << to_ancestors << keep_ancestors);
          expect_same_with_limit({seed, priorities, to_ancestors},
                                 {1024, temporary_directory(), keep_ancestors, 1 + seed % 3 * 7});
        }
}

TEST(Overflow, WithoutAncestorsTheTreeShrinksToo) {
  Shape shape{5, 0xffffffff, false, 4000};
  Search with(shape, {1024, temporary_directory(), true, 8});
  Search without(shape, {1024, temporary_directory(), false, 8});
  EXPECT_EQ(with.run_all(), without.run_all());
  EXPECT_GT(with.overflow().peak_on_disk(), 1000u);
  EXPECT_LT(without.tree().peak(), with.tree().peak() / 2);
}

TEST(Overflow, FilesStayFew) {
  ExecutionTree tree;
  Fringe fringe;
  Overflow overflow(tree, fringe, {0, temporary_directory(), true, 2});
  NodeId root = tree.add_root();
  Rng rng(3);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    fringe.push(tree.add(root, {i, 0, 2, false}), rng.below(100));
    ASSERT_TRUE(overflow.settle());
    ASSERT_LE(overflow.files(), 40u);
  }
  EXPECT_GT(overflow.on_disk(), 4900u);
  tree.executed(root);
  std::uint64_t last = 0;
  std::size_t count = 0;
  for (;; ++count) {
    ASSERT_TRUE(overflow.settle());
    auto open = fringe.pop();
    if (!open) break;
    ASSERT_GE(open->priority, last);
    last = open->priority;
    tree.executed(open->node);
  }
  EXPECT_EQ(count, 5000u);
  EXPECT_TRUE(tree.empty());
}

TEST(Overflow, WhatTheSearchKeepsBesideCounts) {
  ExecutionTree tree;
  Fringe fringe;
  Overflow overflow(tree, fringe, {1 << 20, temporary_directory(), true, 4});
  NodeId root = tree.add_root();
  for (std::uint32_t i = 0; i < 100; ++i) fringe.push(tree.add(root, {i, 0, 2, false}), i);
  ASSERT_TRUE(overflow.settle());
  EXPECT_EQ(overflow.on_disk(), 0u);
  ASSERT_TRUE(overflow.settle(1 << 20));
  EXPECT_GT(overflow.on_disk(), 0u);
  EXPECT_EQ(overflow.on_disk() + fringe.size(), 100u);
}

TEST(Overflow, ASearchThatBeginsAnewForgetsItsFiles) {
  ExecutionTree tree;
  Fringe fringe;
  Overflow overflow(tree, fringe, {0, temporary_directory(), true, 2});
  NodeId root = tree.add_root();
  for (std::uint32_t i = 0; i < 100; ++i) fringe.push(tree.add(root, {i, 0, 2, false}), i);
  ASSERT_TRUE(overflow.settle());
  ASSERT_GT(overflow.on_disk(), 0u);
  tree = {};
  fringe = Fringe();
  overflow.clear();
  EXPECT_EQ(overflow.on_disk(), 0u);
  EXPECT_EQ(overflow.files(), 0u);
  fringe.push(tree.add_root(), 0);
  ASSERT_TRUE(overflow.settle());
  EXPECT_EQ(fringe.size(), 1u);
  tree.executed(fringe.pop()->node);
  EXPECT_TRUE(tree.empty());
}

TEST(Overflow, ADirectoryThatIsMissingIsNamedAndNothingIsLost) {
  Shape shape{1, 3, false};
  std::string missing = temporary_directory() + "/raddle-no-such-directory";
  Search search(shape, {1024, missing, true, 4});
  search.run_all();
  Status status = search.last();
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr(missing));
  EXPECT_THAT(status.error().message, HasSubstr("No such file or directory"));
  EXPECT_EQ(search.overflow().on_disk(), 0u);
  std::size_t open = 0;
  search.fringe().visit_worst(1u << 30, [&](const Open& entry) {
    EXPECT_FALSE(search.tree().at(entry.node).is_executed());
    ++open;
  });
  EXPECT_GT(open, 8u);
  EXPECT_EQ(open, search.fringe().size());
}

// Files may not grow beyond some size, as on a full disk; later they may again.
TEST(Overflow, AFullDiskLosesNothing) {
  Shape shape{4, 0xffffffff, false};
  std::vector<std::uint64_t> expected = Search(shape, {}).run_all();
  Search search(shape, {1024, temporary_directory(), true, 16});
  auto previous = signal(SIGXFSZ, SIG_IGN);
  rlimit old;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  rlimit small = old;
  small.rlim_cur = 2000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::vector<std::uint64_t> trace = search.run_all();
  Status failed = search.last();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  signal(SIGXFSZ, previous);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("cannot write a temporary file in"));
  EXPECT_THAT(failed.error().message, HasSubstr("File too large"));
  EXPECT_LT(trace.size(), expected.size());
  for (std::uint64_t run : search.run_all()) trace.push_back(run);
  EXPECT_EQ(trace, expected);
  EXPECT_TRUE(search.tree().empty());
  EXPECT_EQ(search.payloads(), 0u);
}

TEST(Overflow, NodesOnDiskAreVisitedInOrderAndComeBackElsewhere) {
  ExecutionTree tree;
  Fringe fringe;
  Overflow overflow(tree, fringe, {0, temporary_directory(), false, 2});
  NodeId root = tree.add_root();
  for (std::uint32_t i = 0; i < 300; ++i) {
    fringe.push(tree.add(root, {i, 7, 2, false}), i % 5);
    ASSERT_TRUE(overflow.settle());
  }
  std::vector<SpilledNode> visited;
  ASSERT_TRUE(overflow.visit_worst_first([&](const SpilledNode& node) -> Status {
    visited.push_back(node);
    return Done{};
  }));
  ASSERT_EQ(visited.size(), overflow.on_disk());
  for (std::size_t i = 1; i < visited.size(); ++i) {
    EXPECT_GE(visited[i - 1].priority, visited[i].priority);
    if (visited[i - 1].priority != visited[i].priority) continue;
    EXPECT_LT(visited[i - 1].deltas[0].choice, visited[i].deltas[0].choice);
  }
  ExecutionTree other_tree;
  Fringe other_fringe;
  Overflow other(other_tree, other_fringe, {1 << 20, temporary_directory(), false, 10});
  std::size_t given = 0;
  ASSERT_TRUE(other.restore(visited.size(), [&](SpilledNode& node) -> Status {
    node = visited[given++];
    return Done{};
  }));
  EXPECT_EQ(other.on_disk(), visited.size());
  for (std::size_t i = visited.size(); i > 0; --i) {
    ASSERT_TRUE(other.settle());
    std::vector<Delta> deltas;
    NodeId node = other_fringe.pop()->node;
    other_tree.deltas(node, deltas);
    EXPECT_EQ(deltas, visited[i - 1].deltas);
    other_tree.executed(node);
  }
  EXPECT_TRUE(other_tree.empty());
}

}  // namespace
}  // namespace raddle::search
