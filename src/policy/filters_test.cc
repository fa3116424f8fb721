// SPDX-License-Identifier: Apache-2.0
//
// Several filters for one choice: each sees what is left, and somebody always is. Tests only.
#include "policy/filters.h"

#include <gtest/gtest.h>

#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

std::string members(const ThreadSet& set) {
  std::string text;
  set.for_each([&](ThreadId id) { text += std::to_string(id); });
  return text;
}

// Holds these back, and notes whom it was shown.
class HoldBack final : public Filter {
 public:
  explicit HoldBack(std::initializer_list<ThreadId> threads) : threads_(threads) {}
  void narrow(const Choice& choice, ThreadSet& allowed) override {
    seen = members(allowed) + " of " + members(choice.enabled);
    for (ThreadId id : threads_) allowed.remove(id);
  }
  std::string seen;

 private:
  std::vector<ThreadId> threads_;
};

class Filters : public ::testing::Test {
 protected:
  Filters() {
    for (ThreadId id = 0; id < 5; ++id) enabled_.add(id);
  }
  std::uint32_t narrow(const FilterChain& chain) {
    allowed_ = enabled_;
    return chain.narrow({enabled_, views_, 5, 0, 10}, allowed_);
  }

  ThreadSet enabled_, allowed_;
  model::ThreadView views_[5] = {};
};

TEST_F(Filters, EachSeesWhatThoseBeforeItHaveLeft) {
  HoldBack first{1, 3}, second{0, 3}, third{1};
  FilterChain chain;
  std::uint32_t first_bit = chain.add(first), second_bit = chain.add(second);
  chain.add(third);
  EXPECT_EQ(narrow(chain), first_bit | second_bit) << "the third takes nobody out";
  EXPECT_EQ(members(allowed_), "24");
  EXPECT_EQ(first.seen, "01234 of 01234");
  EXPECT_EQ(second.seen, "024 of 01234");
  EXPECT_EQ(third.seen, "24 of 01234");
}

TEST_F(Filters, WithoutAnyNobodyIsTakenOut) {
  FilterChain chain;
  EXPECT_EQ(narrow(chain), 0u);
  EXPECT_EQ(members(allowed_), "01234");
  EXPECT_FALSE(chain.acts_always());
}

TEST_F(Filters, FairnessCountsThoseThatAreLeft) {
  // 2 has yielded at step 8, since when all but 1 have moved.
  for (ThreadId id = 0; id < 5; ++id) views_[id].last_run = 9;
  views_[1].last_run = 3;
  views_[2].yielding = true;
  views_[2].yielded_at = 8;
  FilterStorage storage{};
  FilterChain fair = make_filters({}, storage);
  EXPECT_EQ(narrow(fair), storage.fairness_bit);
  EXPECT_EQ(members(allowed_), "0134");
  // Behind one that holds 1 back there is nobody to give way to.
  HoldBack one{1};
  FilterChain chain;
  std::uint32_t one_bit = chain.add(one);
  std::uint32_t fairness_bit = chain.add(*storage.fairness);
  EXPECT_EQ(narrow(chain), one_bit);
  EXPECT_EQ(narrow(chain) & fairness_bit, 0u) << "its cuts are its own";
  EXPECT_EQ(members(allowed_), "0234");
}

TEST_F(Filters, OnlyThoseThatActWithoutYieldsHaveToBeAskedAlways) {
  FilterStorage storage{};
  FilterChain chain = make_filters({}, storage);
  EXPECT_FALSE(chain.acts_always());
  HoldBack other{1};
  chain.add(other);
  EXPECT_TRUE(chain.acts_always());
}

using FiltersDeath = Filters;

TEST_F(FiltersDeath, NobodyLeftIsOurBug) {
  HoldBack first{0, 1, 2}, second{3, 4};
  FilterChain chain;
  chain.add(first);
  EXPECT_EQ(members(enabled_), "01234");
  narrow(chain);
  EXPECT_EQ(members(allowed_), "34");
  chain.add(second);
  EXPECT_EXIT(narrow(chain), ::testing::ExitedWithCode(70), "allowed");
}

// Holds a thread back as long as somebody else is left.
class Last final : public Filter {
 public:
  explicit Last(ThreadId thread) : thread_(thread) {}
  void narrow(const Choice&, ThreadSet& allowed) override {
    if (allowed.size() > 1) allowed.remove(thread_);
  }

 private:
  ThreadId thread_;
};

// Two filters on a whole run: the second has nothing to take out where the first has left one.
TEST(FiltersOfARun, AreAppliedTogether) {
  toy::Runner runner("A: step; step | B: step; step | C: step; step");
  Last first(0), second(2);
  toy::Outcome run = runner.run({toy::plan_for("random", 3), {}, {&first, &second}});
  EXPECT_EQ(run.end, toy::End::complete);
  EXPECT_EQ(toy::trace(runner.program_of(), run),
            "B: step; B: step; C: step; C: step; A: step; A: step");
  EXPECT_TRUE(run.choices.empty());
  EXPECT_EQ(run.cuts, 4u);
}

}  // namespace
}  // namespace raddle::policy
