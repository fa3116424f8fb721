// SPDX-License-Identifier: Apache-2.0
//
// What runs add up to. Engine side.
#include "analysis/coverage_table.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace raddle::analysis {
namespace {

// Covers the numbers that the values of a run's events are, predicts ten times these.
class Numbers final : public CoverageObserver {
 public:
  std::span<const Criterion> criteria() const override { return kCriteria; }
  void begin() override { seen_.clear(); }
  void on_event(const wire::Event& event) override { seen_.insert(event.value); }
  void finish(const facts::Run&, std::span<CriterionRun> results) override {
    for (std::uint64_t value : seen_)
      for (CriterionRun& result : results) {
        result.covered.emplace_back().hash = value;
        result.predicted.emplace_back().hash = value * 10;
        result.size = Count(value);
      }
  }

 private:
  static constexpr Criterion kCriteria[] = {{"numbers", "a number", false},
                                            {"long", "a number", true}};
  std::set<std::uint64_t> seen_;
};

class TableTest : public ::testing::Test {
 protected:
  TableTest() : table_(observers()) {}
  static std::vector<std::unique_ptr<CoverageObserver>> observers() {
    std::vector<std::unique_ptr<CoverageObserver>> all;
    all.push_back(std::make_unique<Numbers>());
    return all;
  }
  void run(const std::vector<std::uint64_t>& values) {
    std::vector<wire::Event> events;
    for (std::uint64_t value : values) {
      wire::Event event{};
      event.value = value;
      events.push_back(event);
    }
    facts::Run run;
    run.events = events;
    table_.observe(run);
  }
  std::set<std::uint64_t> taken(bool all = false) {
    std::set<std::uint64_t> hashes;
    table_.take_changed(all, [&](const CriterionState& state, const CoverageEntry& entry) {
      if (!state.criterion.grows_long) hashes.insert(entry.property.hash);
    });
    return hashes;
  }
  CoverageTable table_;
};

TEST_F(TableTest, CountsRunsAndNewOnes) {
  run({1, 2});
  run({2});
  run({2, 20});
  const CriterionState& numbers = table_.criteria()[0];
  EXPECT_EQ(numbers.covered, 3u);
  EXPECT_EQ(numbers.last_growth, 3u);
  EXPECT_EQ(numbers.size, Count(20));
  ASSERT_EQ(numbers.entries.size(), 5u);  // 1, 2, 10, 20, 200
  std::map<std::uint64_t, CoverageEntry> by_hash;
  for (const CoverageEntry& entry : numbers.entries) by_hash[entry.property.hash] = entry;
  EXPECT_EQ(by_hash[2].times, 3u);
  EXPECT_EQ(by_hash[20].first_run, 3u);
  EXPECT_TRUE(by_hash[20].predicted);
  EXPECT_EQ(by_hash[10].first_run, 0u);
  using Points = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  EXPECT_EQ(numbers.growth, (Points{{1, 2}, {3, 3}}));
}

TEST_F(TableTest, GivesWhatIsNewOrHasDoubled) {
  run({1});
  EXPECT_EQ(taken(), (std::set<std::uint64_t>{1, 10}));
  EXPECT_EQ(taken(), (std::set<std::uint64_t>{}));
  run({1});
  EXPECT_EQ(taken(), (std::set<std::uint64_t>{1}));
  run({1});
  EXPECT_EQ(taken(), (std::set<std::uint64_t>{}));
  EXPECT_EQ(taken(true), (std::set<std::uint64_t>{1}));
  table_.take_all_again();
  EXPECT_EQ(taken(), (std::set<std::uint64_t>{1, 10}));
}

TEST_F(TableTest, IsBoundedAndSaysSo) {
  std::vector<std::uint64_t> many;
  for (std::uint64_t i = 1; i <= kEntriesMax + 5; ++i) many.push_back(i * 1'000'003);
  run(many);
  run({7});
  for (const CriterionState& state : table_.criteria()) {
    EXPECT_TRUE(state.truncated);
    EXPECT_EQ(state.entries.size(), state.criterion.grows_long ? kLongEntriesMax : kEntriesMax);
  }
  EXPECT_EQ(table_.last_growth(), 1u);  // 7 had no room
}

TEST_F(TableTest, LongCriteriaDoNotCountAsGrowth) {
  EXPECT_EQ(table_.last_growth(), 0u);
  run({1});
  run({1});
  EXPECT_EQ(table_.last_growth(), 1u);
}

}  // namespace
}  // namespace raddle::analysis
