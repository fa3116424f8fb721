// SPDX-License-Identifier: Apache-2.0
//
// A search's state comes back from its file as it was, and a file that is not that is refused.
// Tests only.
#include "search/tree_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "base/rng.h"
#include "search/checked_file.h"

namespace raddle::search {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSubject = "bank, preemption-bound 2";

// All that belongs to a search between two runs.
struct State {
  explicit State(const std::string& directory, std::size_t limit = ~std::size_t{0},
                 bool keep_ancestors = true)
      : overflow(tree, fringe, {limit, directory, keep_ancestors, 3}, hooks()) {}

  OverflowHooks hooks() {
    return {.payload =
                [](NodeId id) {
                  return NodePayload{id * 11ull, 2.5f};
                },
            .restored = {},
            .deleted = {}};
  }

  // Runs `runs` open nodes, each of which shows some more.
  void grow(std::uint64_t seed, int runs) {
    Rng rng(seed);
    fringe.push(tree.add_root(), 0);
    for (int run = 0; run < runs; ++run) {
      ASSERT_TRUE(overflow.settle());
      Open open = *fringe.pop();
      for (std::uint32_t i = 0; i < 3; ++i) {
        std::uint32_t choice = tree.first_new_choice(open.node) + rng.below(3);
        Delta delta{choice, static_cast<std::uint16_t>(rng.next()),
                    static_cast<std::uint8_t>(rng.next()), rng.below(2) == 0};
        fringe.push(tree.add(open.node, delta), rng.below(4));
        if (rng.below(2) == 0) break;
      }
      tree.executed(open.node);
    }
  }

  // The rest of the search, in the order in which it is run: priorities and deltas.
  std::vector<std::pair<std::uint64_t, std::vector<Delta>>> drain() {
    std::vector<std::pair<std::uint64_t, std::vector<Delta>>> order;
    while (true) {
      EXPECT_TRUE(overflow.settle());
      std::optional<Open> open = fringe.pop();
      if (!open) break;
      tree.deltas(open->node, order.emplace_back(open->priority, std::vector<Delta>()).second);
      tree.executed(open->node);
    }
    EXPECT_TRUE(tree.empty());
    return order;
  }

  ExecutionTree tree;
  Fringe fringe{2};
  Overflow overflow;
};

class TreeFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/raddle-tree-test-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    path_ = directory_ + "/search";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  Status write(State& state, std::vector<Open> in_flight = {}, std::vector<SideTable> tables = {}) {
    return write_tree_file(path_, kSubject, state.tree, state.fringe, state.overflow, in_flight,
                           tables);
  }
  Result<std::vector<SideTable>> read(State& state, const std::string& subject = kSubject) {
    return read_tree_file(path_, subject, state.tree, state.fringe, state.overflow);
  }
  std::string refusal() {
    State state(directory_);
    Result<std::vector<SideTable>> tables = read(state);
    return tables ? "" : tables.error().message;
  }
  std::string contents() {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void store(const std::string& contents) {
    // To shorten a file and write it again makes some file systems wait for the disk.
    std::filesystem::remove(path_);
    std::ofstream(path_, std::ios::binary) << contents;
  }
  // With a checksum that fits.
  void store_checked(std::string contents) {
    contents.resize(contents.size() - 8);
    std::uint64_t sum = checksum(contents);
    store(contents.append(reinterpret_cast<const char*>(&sum), sizeof sum));
  }

  std::string directory_;
  std::string path_;
};

TEST_F(TreeFileTest, TheSearchGoesOnWhereItWas) {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (std::size_t limit : {std::size_t{1} << 20, std::size_t{100}})
      for (bool keep_ancestors : {true, false}) {
        State state(directory_, limit, keep_ancestors), copy(directory_, 1 << 20, keep_ancestors);
        state.grow(seed, 60);
        if (limit == 100) {
          EXPECT_GT(state.overflow.on_disk(), 5u);
        }
        ASSERT_TRUE(write(state));
        Result<std::vector<SideTable>> tables = read(copy);
        ASSERT_TRUE(tables) << tables.error().message;
        EXPECT_TRUE(tables->empty());
        EXPECT_EQ(copy.tree.size(), state.tree.size());
        EXPECT_EQ(copy.tree.parked(), state.tree.parked());
        EXPECT_EQ(copy.tree.root(), state.tree.root());
        EXPECT_EQ(copy.fringe.size(), state.fringe.size());
        EXPECT_EQ(copy.overflow.on_disk(), state.overflow.on_disk());
        for (NodeId id = 0; id < state.tree.slots(); ++id)
          ASSERT_EQ(copy.tree.alive(id), state.tree.alive(id)) << "ids are kept";
        EXPECT_EQ(copy.drain(), state.drain());
      }
}

TEST_F(TreeFileTest, TablesComeBackAndNodesInFlightWaitAgain) {
  State state(directory_), copy(directory_);
  state.grow(3, 40);
  Open first = *state.fringe.pop(), second = *state.fringe.pop();
  std::vector<SideTable> tables{
      {"sleep", std::string(70000, '\xff')}, {"", ""}, {"done", "1\0002"}};
  ASSERT_TRUE(write(state, {second, first}, tables));
  Result<std::vector<SideTable>> read_tables = read(copy);
  ASSERT_TRUE(read_tables);
  EXPECT_EQ(*read_tables, tables);
  EXPECT_EQ(copy.fringe.pop(), first);
  EXPECT_EQ(copy.fringe.pop(), second);
  EXPECT_EQ(copy.fringe.size(), state.fringe.size());
}

TEST_F(TreeFileTest, AFinishedSearchIsAState) {
  State state(directory_), copy(directory_);
  ASSERT_TRUE(write(state));
  ASSERT_TRUE(read(copy));
  EXPECT_TRUE(copy.tree.empty());
  copy.fringe.push(copy.tree.add_root(), 0);
  EXPECT_EQ(copy.drain().size(), 1u);
}

TEST_F(TreeFileTest, ForeignFilesAreNamed) {
  EXPECT_EQ(refusal(), "cannot read " + path_ + ": No such file or directory");
  store("schedule of a program");
  EXPECT_EQ(refusal(), path_ + " is not the state of a search: it begins differently");
  State state(directory_), other(directory_);
  state.grow(1, 5);
  ASSERT_TRUE(write(state));
  Result<std::vector<SideTable>> tables = read(other, "bank, dpor");
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().message, path_ +
                                        " is the state of another search: of bank, "
                                        "preemption-bound 2, not of bank, dpor");
  std::string file = contents();
  file[8] = 9;
  store_checked(file);
  EXPECT_EQ(refusal(), path_ +
                           " is the state of a search in format 9, and this version of raddle "
                           "reads format 2");
}

// Every length, and thousands of flipped bits.
TEST_F(TreeFileTest, DamagedFilesAreRefused) {
  State state(directory_, 100);
  state.grow(2, 60);
  ASSERT_TRUE(write(state, {}, {{"sleep", "0123456789"}}));
  const std::string whole = contents();
  ASSERT_GT(whole.size(), 1000u);
  ASSERT_LT(whole.size(), 10000u);
  EXPECT_EQ(refusal(), "");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    store(whole.substr(0, size));
    ASSERT_THAT(refusal(), HasSubstr(path_)) << size;
  }
  Rng rng(5);
  for (int i = 0; i < 3000; ++i) {
    std::string flipped = whole;
    std::uint32_t bit = rng.below(static_cast<std::uint32_t>(whole.size() * 8));
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    store(flipped);
    ASSERT_THAT(refusal(), HasSubstr(path_)) << "bit " << bit;
  }
  store(whole + "x");
  EXPECT_THAT(refusal(), HasSubstr("is damaged"));
}

// A file that says something else, and means it: it is refused or is a state, but never harms.
TEST_F(TreeFileTest, ContradictionsBehindAChecksumAreNoticed) {
  State state(directory_, 100);
  state.grow(7, 60);
  ASSERT_TRUE(write(state, {}, {{"sleep", "0123456789"}}));
  const std::string whole = contents();
  // The bound of ids says how much memory a tree takes; it is believed.
  const std::size_t bound = 16 + 8 + std::string_view(kSubject).size();
  Rng rng(6);
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string changed = whole;
    for (std::uint32_t times = rng.below(2) + 1; times > 0; --times) {
      std::size_t at = rng.below(static_cast<std::uint32_t>(whole.size() - 8));
      if (at >= bound && at < bound + 8) continue;
      changed[at] =
          static_cast<char>(rng.below(3) == 0 ? rng.next() : changed[at] ^ (1 << rng.below(8)));
    }
    store_checked(changed);
    std::string why = refusal();
    if (!why.empty()) {
      ++refused;
      ASSERT_THAT(why, HasSubstr(path_));
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace raddle::search
