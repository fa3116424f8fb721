// SPDX-License-Identifier: Apache-2.0
//
// Searches that are cut into campaigns, kept within a memory limit, or run several nodes at a time
// make the same runs as those that are left alone. On toy programs. Tests only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "base/rng.h"
#include "search/abilities.h"
#include "search/dfs.h"
#include "search/tree_search.h"
#include "testing/toy_enumerate.h"
#include "testing/toy_search.h"

namespace raddle::search {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLocked =
    "A: lock m; inc x; unlock m; lock m; inc x; unlock m | B: lock m; inc x; unlock m; lock m; "
    "inc x; unlock m | C: lock m; inc x; unlock m; lock m; inc x; unlock m";
constexpr const char* kMixed =
    "A: w x; lock m; r y; unlock m; inc z | B: w y; lock m; r x; unlock m; inc z | C: inc z; w x";
constexpr const char* kPhilosophers =
    "A: lock a; lock b; unlock b; unlock a | B: lock b; lock c; unlock c; unlock b | "
    "C: lock c; lock a; unlock a; unlock c";
constexpr const char* kPrograms[] = {kLocked, kMixed, kPhilosophers};

using Make = std::function<std::unique_ptr<Search>(const PlanOptions&)>;

struct Setting {
  const char* name;
  TreeOptions options;
};

std::vector<Setting> settings() {
  auto priority = [](const char* list) { return *Priority::parse(list); };
  return {{"dpor", {.ways = Ways::reversals}},
          {"mdpor,pb", {.ways = Ways::reversals, .priority = priority("mdpor,pb")}},
          {"dpor by rand", {.ways = Ways::reversals, .priority = priority("rand")}},
          {"bound 2",
           {.bound_kind = BoundKind::preemptions, .bound = 2, .priority = priority("ss,mdpor")}},
          {"context bound", {.priority = priority("pb"), .by_preemptions = true}}};
}

void add(ToyFindings& all, const ToyFindings& some) {
  all.runs += some.runs;
  all.blocked += some.blocked;
  all.states.insert(some.states.begin(), some.states.end());
  all.classes.insert(some.classes.begin(), some.classes.end());
  all.deadlocks.insert(some.deadlocks.begin(), some.deadlocks.end());
  all.finished |= some.finished;
}

void expect_same(const ToyFindings& a, const ToyFindings& b) {
  EXPECT_EQ(a.runs, b.runs);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.deadlocks, b.deadlocks);
  EXPECT_TRUE(a.finished);
  EXPECT_TRUE(b.finished);
}

class Kept : public ::testing::Test {
 protected:
  Kept()
      : path_(std::filesystem::path(::testing::TempDir()) /
              (std::string("kept_") +
               ::testing::UnitTest::GetInstance()->current_test_info()->name())) {}
  ~Kept() override { std::filesystem::remove(path_); }

  // A search that is kept and taken up again after every `piece` runs.
  ToyFindings in_pieces(const Make& make, const char* program, std::uint64_t piece) {
    ToyFindings all;
    std::string promise;
    for (int i = 0; !all.finished && i < 10000; ++i) {
      auto search = make(toy_options());
      auto* kept = ask<Resumable>(*search);
      if (i > 0) {
        Status loaded = kept->load(path_, "toy");
        EXPECT_TRUE(loaded) << loaded.error().message;
        if (!loaded) return all;
        EXPECT_EQ(search->guarantee(), promise);
      }
      add(all, explore(*search, program, piece));
      all.finished |= kept->finished();
      promise = search->guarantee();
      last_promise_ = promise;
      if (all.finished) {
        EXPECT_TRUE(is_complete(*search));
        EXPECT_FALSE(kept->resumable());
        break;
      }
      EXPECT_TRUE(kept->resumable());
      Status saved = kept->save(path_, "toy");
      EXPECT_TRUE(saved) << saved.error().message;
    }
    return all;
  }

  std::string path_;
  std::string last_promise_;
};

Make tree(const TreeOptions& options) {
  return [options](const PlanOptions& plan) { return std::make_unique<TreeSearch>(plan, options); };
}

TEST_F(Kept, TreeSearchesInPiecesMakeTheSameRuns) {
  for (const Setting& setting : settings())
    for (const char* program : kPrograms) {
      SCOPED_TRACE(std::string(setting.name) + ": " + program);
      TreeSearch whole(toy_options(), setting.options);
      ToyFindings expected = explore(whole, program, 3000);
      if (!expected.finished) continue;
      std::uint64_t piece = (expected.runs + expected.blocked) / 10 + 1;
      ToyFindings found = in_pieces(tree(setting.options), program, piece);
      expect_same(found, expected);
      EXPECT_EQ(found.blocked, expected.blocked) << "the order is the same, too";
      EXPECT_EQ(last_promise_, whole.guarantee());
    }
}

TEST_F(Kept, ARunThatWasUnderWayIsMadeLater) {
  TreeSearch whole(toy_options(), {.ways = Ways::reversals});
  ToyFindings expected = explore(whole, kLocked);
  TreeSearch first(toy_options(), {.ways = Ways::reversals});
  ToyFindings found = explore(first, kLocked, 20);
  ASSERT_TRUE(first.next()) << "and now the campaign is interrupted";
  ASSERT_TRUE(first.save(path_, "toy"));
  TreeSearch second(toy_options(), {.ways = Ways::reversals});
  ASSERT_TRUE(second.load(path_, "toy"));
  add(found, explore(second, kLocked));
  expect_same(found, expected);
  EXPECT_EQ(found.runs, 90u);
}

TEST_F(Kept, FilesOfOtherSearchesAreRefused) {
  TreeSearch search(toy_options(), {.ways = Ways::reversals});
  explore(search, kLocked, 5);
  ASSERT_TRUE(search.save(path_, "one"));
  TreeSearch other(toy_options(), {.ways = Ways::reversals});
  EXPECT_THAT(other.load(path_, "two").error().message, HasSubstr("another search"));
  Dfs dfs(toy_options());
  EXPECT_THAT(dfs.load(path_, "one").error().message, HasSubstr("depth-first"));
  TreeSearch missing(toy_options(), {.ways = Ways::reversals});
  EXPECT_THAT(missing.load(path_ + ".none", "one").error().message, HasSubstr(path_ + ".none"));
}

TEST(MemoryLimit, TheSameRunsInTheSameOrder) {
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name);
    TreeSearch whole(toy_options(), setting.options);
    ToyFindings expected = explore(whole, kLocked, 6000);
    PlanOptions little = toy_options();
    little.memory_bytes = 200;
    TreeSearch limited(little, setting.options);
    ToyFindings found = explore(limited, kLocked, 6000);
    EXPECT_FALSE(limited.failure());
    EXPECT_EQ(found.finished, expected.finished);
    EXPECT_EQ(found.runs, expected.runs);
    EXPECT_EQ(found.blocked, expected.blocked);
    EXPECT_EQ(found.classes, expected.classes);
    EXPECT_EQ(limited.guarantee(), whole.guarantee());
    EXPECT_GT(limited.size().peak_on_disk, 0u);
    EXPECT_LT(limited.size().peak_nodes, whole.size().peak_nodes);
    if (!found.finished) continue;
    EXPECT_TRUE(limited.tree().empty());
    EXPECT_EQ(limited.size().on_disk, 0u);
  }
}

TEST_F(Kept, WhatIsOnDiskIsKeptToo) {
  PlanOptions little = toy_options();
  little.memory_bytes = 200;
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name);
    TreeSearch whole(toy_options(), setting.options);
    ToyFindings expected = explore(whole, kLocked, 5000);
    TreeSearch first(little, setting.options);
    ToyFindings found = explore(first, kLocked, 60);
    ASSERT_TRUE(first.save(path_, "toy"));
    TreeSearch second(little, setting.options);
    ASSERT_TRUE(second.load(path_, "toy"));
    add(found, explore(second, kLocked, 4940));
    EXPECT_EQ(found.runs, expected.runs);
    EXPECT_EQ(found.classes, expected.classes);
    EXPECT_EQ(second.guarantee(), whole.guarantee());
  }
}

TEST(MemoryLimit, ADirectoryThatIsNotThereIsAFailure) {
  PlanOptions little = toy_options();
  little.memory_bytes = 200;
  little.spill_directory = "/nowhere/at/all";
  TreeSearch limited(little, {.ways = Ways::all});
  explore(limited, kLocked, 6000);
  ASSERT_TRUE(limited.failure());
  EXPECT_THAT(limited.failure()->message, HasSubstr("/nowhere/at/all"));
  EXPECT_FALSE(limited.complete());
}

// Several nodes at a time, which end in a random order.
ToyFindings explore_at_once(Search& search, const char* program, std::size_t width,
                            std::uint64_t seed) {
  ToyTarget target(program);
  FakeExecutor executor(target);
  ToyFindings found;
  Rng rng(seed);
  std::vector<facts::Plan> under_way;
  while (true) {
    while (under_way.size() < width) {
      auto plan = search.next();
      if (!plan) break;
      under_way.push_back(*plan);
    }
    if (under_way.empty()) break;
    std::size_t at = rng.below(static_cast<std::uint32_t>(under_way.size()));
    facts::Plan plan = under_way[at];
    under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(at));
    facts::Run run = *executor.run(plan);
    run.ticket = plan.ticket;
    search.observe(run);
    executor.plans.clear();
    const toy::Outcome& last = target.last();
    ++(last.end == toy::End::blocked ? found.blocked : found.runs);
    std::string order = toy::happens_before(target.program(), last);
    if (last.end == toy::End::complete) found.classes.insert(order);
    if (last.end == toy::End::deadlock) found.deadlocks.insert(order);
  }
  found.finished = is_complete(search);
  return found;
}

TEST(AtOnce, NodesThatAreRunAtATimeAreTheSameRuns) {
  for (const Setting& setting : settings())
    for (const char* program : kPrograms)
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        SCOPED_TRACE(std::string(setting.name) + ": " + program);
        TreeSearch alone(toy_options(), setting.options);
        ToyFindings expected = explore(alone, program, 3000);
        if (!expected.finished) continue;
        TreeSearch search(toy_options(), setting.options);
        expect_same(explore_at_once(search, program, 1 + seed, seed), expected);
        EXPECT_TRUE(search.tree().empty());
      }
}

TEST(AtOnce, NothingForNowIsNotTheEnd) {
  TreeSearch search(toy_options(), {.ways = Ways::reversals});
  ASSERT_TRUE(search.next());
  EXPECT_FALSE(search.next()) << "only the root is known";
  EXPECT_FALSE(search.complete());
  EXPECT_TRUE(search.resumable());
}

TEST(Estimate, IsNamedUntilTheSearchIsThrough) {
  TreeSearch search(toy_options(), {.ways = Ways::reversals});
  explore(search, kLocked, 30);
  EXPECT_THAT(search.guarantee(), HasSubstr("there are more: an estimated "));
  EXPECT_THAT(search.guarantee(), HasSubstr(" % done"));
  ASSERT_TRUE(search.estimate());
  EXPECT_GT(search.estimate()->runs, 30);
  EXPECT_NEAR(search.estimate()->done, 30 / search.estimate()->runs, 1e-9);
  explore(search, kLocked);
  EXPECT_THAT(search.guarantee(), Not(HasSubstr("estimated")));
  EXPECT_FALSE(search.estimate());
}

}  // namespace
}  // namespace raddle::search
