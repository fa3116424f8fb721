// SPDX-License-Identifier: Apache-2.0
//
// The execution tree held against a tree that forgets nothing, and on the paper's own example.
// Tests only.
#include "search/execution_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/rng.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Delta pick(std::uint32_t choice, std::uint16_t thread, std::uint8_t candidates = 2) {
  return {choice, thread, candidates, false};
}

std::vector<Delta> deltas(const ExecutionTree& tree, NodeId id) {
  std::vector<Delta> out{pick(99, 99)};  // what was there does not stay
  tree.deltas(id, out);
  return out;
}

std::vector<NodeId> execute(ExecutionTree& tree, NodeId id) {
  std::vector<NodeId> deleted;
  tree.executed(id, [&](NodeId gone) {
    EXPECT_TRUE(tree.alive(gone));
    deleted.push_back(gone);
  });
  for (NodeId gone : deleted) EXPECT_FALSE(tree.alive(gone));
  return deleted;
}

TEST(ExecutionTree, ANodeTakesSixteenBytes) {
  EXPECT_EQ(sizeof(ExecutionTree::Node), 16u);
  ExecutionTree tree;
  NodeId root = tree.add_root();
  for (std::uint32_t i = 0; i < 9999; ++i) tree.add(root, pick(i, 1));
  EXPECT_EQ(tree.size(), 10000u);
  EXPECT_EQ(tree.bytes(), 160000u);
  EXPECT_LE(tree.allocated_bytes(), 160000u + 16 * 1024);
}

TEST(ExecutionTree, ANodeKeepsAllOfItsDelta) {
  ExecutionTree tree;
  NodeId root = tree.add_root();
  Delta value{0xfffffffe, 0xffff, 255, true};
  NodeId node = tree.add(root, value);
  EXPECT_EQ(tree.at(node).delta(), value);
  EXPECT_TRUE(tree.at(node).is_value());
  EXPECT_FALSE(tree.at(node).is_executed());
  EXPECT_EQ(tree.at(node).parent, root);
  EXPECT_TRUE(tree.at(root).is_root());
  EXPECT_EQ(tree.at(root).children, 1u);
}

// The paper's Figure 3(b): threads A and B with two operations each. The default is A A B B.
TEST(ExecutionTree, ThePapersExample) {
  ExecutionTree tree;
  NodeId root = tree.add_root();
  NodeId bbaa = tree.add(root, pick(0, 1));
  NodeId abba = tree.add(root, pick(1, 1));
  EXPECT_THAT(execute(tree, root), IsEmpty());
  NodeId baab = tree.add(bbaa, pick(1, 0));
  EXPECT_THAT(execute(tree, bbaa), IsEmpty());
  NodeId baba = tree.add(baab, pick(2, 1));
  EXPECT_THAT(execute(tree, baab), IsEmpty());
  NodeId abab = tree.add(abba, pick(2, 0));
  EXPECT_THAT(execute(tree, abba), IsEmpty());
  EXPECT_EQ(tree.size(), 6u);

  EXPECT_THAT(deltas(tree, root), IsEmpty());
  EXPECT_THAT(deltas(tree, baba), ElementsAre(pick(0, 1), pick(1, 0), pick(2, 1)));
  EXPECT_THAT(deltas(tree, abab), ElementsAre(pick(1, 1), pick(2, 0)));
  EXPECT_EQ(tree.first_new_choice(root), 0u);
  EXPECT_EQ(tree.first_new_choice(baab), 2u);
  EXPECT_EQ(tree.owner(baba, 0), root);
  EXPECT_EQ(tree.owner(baba, 1), bbaa);
  EXPECT_EQ(tree.owner(baba, 2), baab);
  EXPECT_EQ(tree.owner(baba, 3), baba);
  EXPECT_EQ(tree.owner(abab, 1), root);

  EXPECT_THAT(execute(tree, abab), ElementsAre(abab, abba));
  EXPECT_THAT(execute(tree, baba), ElementsAre(baba, baab, bbaa, root));
  EXPECT_TRUE(tree.empty());
  EXPECT_EQ(tree.root(), kNoNode);
  EXPECT_EQ(tree.bytes(), 0u);
  EXPECT_EQ(tree.allocated_bytes(), 0u);
  EXPECT_EQ(tree.peak(), 6u);
  EXPECT_EQ(tree.peak_bytes(), 96u);
}

TEST(ExecutionTree, AnAncestorWithoutARunOfItsOwnStays) {
  ExecutionTree tree;
  NodeId root = tree.add_root();
  NodeId child = tree.add(root, pick(0, 1));
  EXPECT_THAT(execute(tree, child), ElementsAre(child)) << "the root is still being run";
  EXPECT_THAT(execute(tree, root), ElementsAre(root));
  EXPECT_TRUE(tree.empty());
}

TEST(ExecutionTree, AParkedNodeKeepsItsAncestors) {
  ExecutionTree tree;
  NodeId root = tree.add_root();
  NodeId above = tree.add(root, pick(0, 1));
  tree.executed(root);
  NodeId leaf = tree.add(above, pick(3, 2));
  tree.executed(above);
  EXPECT_EQ(tree.park(leaf), above);
  EXPECT_EQ(tree.size(), 2u);
  EXPECT_EQ(tree.parked(), 1u);
  EXPECT_FALSE(tree.alive(leaf));
  NodeId other = tree.add(above, pick(3, 4));
  EXPECT_THAT(execute(tree, other), ElementsAre(other));
  leaf = tree.unpark(above, pick(3, 2));
  EXPECT_THAT(deltas(tree, leaf), ElementsAre(pick(0, 1), pick(3, 2)));
  EXPECT_THAT(execute(tree, leaf), ElementsAre(leaf, above, root));
  EXPECT_TRUE(tree.empty());
}

TEST(ExecutionTree, ANewTreeMayGrowWhereOneEnded) {
  ExecutionTree tree;
  tree.executed(tree.add_root());
  EXPECT_TRUE(tree.empty());
  NodeId root = tree.add_root();
  EXPECT_EQ(tree.size(), 1u);
  tree.drop(root, [](NodeId) {});
  EXPECT_TRUE(tree.empty());
}

TEST(ExecutionTreeDeath, MisuseIsNoticed) {
  ExecutionTree tree;
  NodeId root = tree.add_root();
  NodeId node = tree.add(root, pick(4, 1));
  EXPECT_EXIT(tree.add_root(), testing::ExitedWithCode(70), "root_ == kNoNode");
  EXPECT_EXIT(tree.add(node, pick(4, 2)), testing::ExitedWithCode(70), "first_new_choice");
  EXPECT_EXIT(tree.at(17), testing::ExitedWithCode(70), "alive");
  tree.executed(root);
  EXPECT_EXIT(tree.executed(root), testing::ExitedWithCode(70), "is_executed");
  EXPECT_EXIT(tree.park(root), testing::ExitedWithCode(70), "is_executed");
}

// A tree that keeps everything, and works out what is needed from what was run.
class Oracle {
 public:
  struct Entry {
    int parent;
    Delta delta;
    bool executed = false;
    NodeId id;
  };

  int add(int parent, const Delta& delta, NodeId id) {
    entries_.push_back({parent, delta, false, id});
    return static_cast<int>(entries_.size() - 1);
  }
  Entry& at(int entry) { return entries_[static_cast<std::size_t>(entry)]; }
  std::set<int> needed() {
    std::set<int> result;
    for (int i = 0; i < static_cast<int>(entries_.size()); ++i)
      if (!at(i).executed)
        for (int up = i; up >= 0; up = at(up).parent) result.insert(up);
    return result;
  }
  std::vector<Delta> deltas(int entry) {
    std::map<std::uint32_t, Delta> by_choice;
    for (; at(entry).parent >= 0; entry = at(entry).parent)
      by_choice[at(entry).delta.choice] = at(entry).delta;
    std::vector<Delta> result;
    for (auto& [choice, delta] : by_choice) result.push_back(delta);
    return result;
  }
  int owner(int entry, std::uint32_t choice) {
    while (at(entry).parent >= 0 && at(entry).delta.choice >= choice) entry = at(entry).parent;
    return entry;
  }

 private:
  std::vector<Entry> entries_;
};

class RandomSearch {
 public:
  explicit RandomSearch(std::uint64_t seed) : rng_(seed) {
    open_.push_back(oracle_.add(-1, {}, tree_.add_root()));
  }

  // Runs some open node, which adds children: mostly its own, some to an ancestor.
  void run_one(bool grow) {
    std::size_t at = rng_.below(static_cast<std::uint32_t>(open_.size()));
    int entry = open_[at];
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    NodeId id = oracle_.at(entry).id;
    ASSERT_EQ(deltas(tree_, id), oracle_.deltas(entry));
    for (std::uint32_t i = grow ? rng_.below(4) : 0; i > 0; --i) {
      std::uint32_t choice = rng_.below(tree_.first_new_choice(id) + 5);
      int owner = oracle_.owner(entry, choice);
      ASSERT_EQ(tree_.owner(id, choice), oracle_.at(owner).id);
      Delta delta{choice, static_cast<std::uint16_t>(rng_.below(9)), 3, rng_.below(2) == 0};
      open_.push_back(oracle_.add(owner, delta, tree_.add(oracle_.at(owner).id, delta)));
    }
    std::set<int> before = oracle_.needed();
    oracle_.at(entry).executed = true;
    std::set<NodeId> expected;
    std::set<int> after = oracle_.needed();
    for (int gone : before)
      if (after.count(gone) == 0) expected.insert(oracle_.at(gone).id);
    std::vector<NodeId> deleted = execute(tree_, id);
    ASSERT_THAT(deleted, testing::UnorderedElementsAreArray(expected));
    ASSERT_EQ(tree_.size(), after.size());
    for (int needed : after) ASSERT_TRUE(tree_.alive(oracle_.at(needed).id));
  }

  std::size_t open() const { return open_.size(); }
  const ExecutionTree& tree() const { return tree_; }

 private:
  Rng rng_;
  ExecutionTree tree_;
  Oracle oracle_;
  std::vector<int> open_;
};

TEST(ExecutionTree, DeletesExactlyWhatNobodyNeeds) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomSearch search(seed);
    for (int run = 0; search.open() > 0 && !testing::Test::HasFatalFailure(); ++run)
      search.run_one(run < 100);
    EXPECT_TRUE(search.tree().empty());
    EXPECT_EQ(search.tree().allocated_bytes(), 0u);
    EXPECT_GT(search.tree().peak(), 0u);
  }
}

TEST(ExecutionTree, SlotsAreUsedAgain) {
  ExecutionTree tree;
  NodeId root = tree.add_root();
  NodeId stays = tree.add(root, pick(0, 1));
  tree.executed(root);
  for (int i = 0; i < 100000; ++i) tree.executed(tree.add(root, pick(0, 2)));
  EXPECT_EQ(tree.slots(), 3u);
  EXPECT_EQ(tree.peak(), 3u);
  EXPECT_EQ(execute(tree, stays).size(), 2u);
}

// What a file gave back: ids as they were, with holes.
TEST(ExecutionTree, ComesBackAsItWas) {
  ExecutionTree tree;
  NodeId root = tree.add_root();
  NodeId hole = tree.add(root, pick(0, 1));
  NodeId above = tree.add(root, pick(1, 1));
  NodeId leaf = tree.add(above, pick(2, 1));
  tree.executed(root);
  tree.executed(above);
  tree.executed(hole);
  ExecutionTree copy;
  for (NodeId id : {root, above, leaf}) ASSERT_TRUE(copy.restore(id, tree.at(id)));
  EXPECT_EQ(copy.restored(), nullptr);
  EXPECT_EQ(copy.size(), 3u);
  EXPECT_EQ(copy.root(), root);
  EXPECT_EQ(deltas(copy, leaf), deltas(tree, leaf));
  NodeId added = copy.add(above, pick(3, 1));
  EXPECT_EQ(added, hole);
  EXPECT_THAT(execute(copy, added), ElementsAre(added));
  EXPECT_THAT(execute(copy, leaf), ElementsAre(leaf, above, root));
}

TEST(ExecutionTree, WhatIsNoTreeDoesNotComeBack) {
  using Node = ExecutionTree::Node;
  const Node root{kNoNode, 1, 0, 0, 0, 2};
  const Node open{0, 0, 4, 1, 2, 0};
  auto verdict = [](std::vector<Node> nodes) -> std::string {
    ExecutionTree tree;
    NodeId id = 0;
    for (const Node& node : nodes)
      if (!tree.restore(id++, node)) return "not restored";
    const char* wrong = tree.restored();
    return wrong == nullptr ? "" : wrong;
  };
  EXPECT_EQ(verdict({root, open}), "");
  EXPECT_EQ(verdict({root, {0, 0, 4, 1, 2, 4}}), "not restored") << "no such flag";
  EXPECT_EQ(verdict({root, open, root}), "there are two roots");
  EXPECT_EQ(verdict({{1, 1, 0, 0, 0, 2}, {0, 1, 1, 0, 0, 2}}),
            "a node departs before its parent does")
      << "a circle";
  EXPECT_EQ(verdict({open}), "a node departs before its parent does");
  EXPECT_EQ(verdict({root, {7, 0, 4, 1, 2, 0}}), "a node has no parent");
  EXPECT_EQ(verdict({root, open, open}), "a node has more children than it counts");
  EXPECT_EQ(verdict({root, {0, 0, 4, 1, 2, 2}}), "a node is neither open nor needed");
  EXPECT_EQ(verdict({{kNoNode, 1, 0, 0, 0, 0}, open}), "a node is neither open nor needed");
  ExecutionTree tree;
  EXPECT_TRUE(tree.restore(3, root));
  EXPECT_FALSE(tree.restore(3, open)) << "ids increase";
  EXPECT_FALSE(tree.restore(kNoNode, open));
}

}  // namespace
}  // namespace raddle::search
