// SPDX-License-Identifier: Apache-2.0
//
// What holds for every policy, so that a new one is tested before it has tests of its own.
#include "policy/registry.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "policy/fairness.h"
#include "testing/toy_run.h"

namespace raddle::policy {
namespace {

using toy::End;
using toy::plan_for;
using wire::SteeringKind;

constexpr const char* kPrograms[] = {
    "A: r x; w x $+1; choose 5; w y $ | B: r x; w x $+1; r y | C: inc x; inc x",
    "A: w x | B: w x | C: w x | D: w x",
    "A: lock m; w x; unlock m; r y | B: lock m; w x 2; unlock m; w y | C: lock m; unlock m; r x",
    "T1: lock a; lock b; unlock b; unlock a | T2: lock b; lock a; unlock a; unlock b",
    "A: step; spin f 1; r x | B: w x; yield; w x 2; store f 1 | C: r x; yield; r x",
    "M: spawn A; spawn B; spawn C; join A; join B; join C | A: w x; w x | B: w x; r x | C: r x; w "
    "x",
    "init: b 3; s 1 | A: semwait s; post s; barrier b | B: barrier b; semwait s; post s | "
    "C: barrier b; choose 3",
};

class EveryPolicy : public ::testing::TestWithParam<const char*> {
 protected:
  toy::Conditions conditions(toy::Runner& runner, const char* name, std::uint64_t seed) {
    toy::Conditions conditions{plan_for(name, seed, 3, 10), {}, {&fairness_}};
    // Those that follow choices get a run to follow; what they do after it is theirs.
    SteeringKind reads = find_policy(name)->reads;
    auto choices = [&] { return runner.run({plan_for("random", seed), {}, {&fairness_}}).choices; };
    if (reads == SteeringKind::recorded) conditions.steering = facts::Recorded{choices()};
    if (reads == SteeringKind::choices) conditions.steering = facts::Choices{choices()};
    return conditions;
  }

  FairnessFilter fairness_;
};

TEST_P(EveryPolicy, GivesTheSameRunForTheSamePlan) {
  for (const char* text : kPrograms) {
    toy::Runner runner(text);
    toy::Runner other(text);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      toy::Conditions given = conditions(runner, GetParam(), seed);
      toy::Outcome first = runner.run(given);
      toy::Outcome again = runner.run(given);
      EXPECT_EQ(again.choices, first.choices) << text;
      EXPECT_EQ(toy::trace(runner.program_of(), again), toy::trace(runner.program_of(), first));
      // Storage with another past makes no difference.
      std::memset(other.storage().policy, 0xa5, sizeof(other.storage().policy));
      EXPECT_EQ(other.run(given).choices, first.choices) << text;
    }
  }
}

// One object may carry out run after run.
TEST_P(EveryPolicy, BeginForgetsEarlierRuns) {
  for (const char* text : kPrograms) {
    toy::Runner runner(text);
    auto storage = std::make_unique<PolicyStorage>();
    Policy* policy = make_policy(GetParam(), *storage);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      toy::Conditions given = conditions(runner, GetParam(), seed);
      EXPECT_EQ(toy::run(runner.program_of(), *policy, given).choices, runner.run(given).choices)
          << text;
    }
  }
}

TEST_P(EveryPolicy, CarriesRunsToTheirEnd) {
  for (const char* text : kPrograms) {
    toy::Runner runner(text);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      End end = runner.run(conditions(runner, GetParam(), seed)).end;
      EXPECT_TRUE(end == End::complete || end == End::deadlock) << text;
    }
  }
}

// 1,000 threads, all enabled at once: the machine checks that every pick is an enabled thread.
TEST_P(EveryPolicy, CopesWithAThousandThreads) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += (i == 0 ? "T" : " | T") + std::to_string(i) + ": w x; inc y";
  toy::Runner runner(text);
  toy::Outcome run = runner.run(conditions(runner, GetParam(), 1));
  EXPECT_EQ(run.end, End::complete);
  EXPECT_EQ(run.variables["y"], 1000);
}

std::string test_name(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

std::vector<const char*> all_names() {
  std::vector<const char*> names;
  for (const PolicyInfo& info : policies()) names.push_back(info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryPolicy, ::testing::ValuesIn(all_names()), test_name);

TEST(Registry, NamesAreUniqueAndFitIntoAPlan) {
  std::set<std::string> names;
  for (const PolicyInfo& info : policies()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_LT(std::strlen(info.name), wire::kPolicyNameMax);
    EXPECT_GT(std::strlen(info.summary), 0u);
    EXPECT_EQ(find_policy(info.name), &info);
  }
  for (const char* name : {"random", "pct", "pos", "urw", "surw", "round-robin", "nonpreemptive",
                           "dfs", "prefix", "replay"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Registry, UnknownNamesMakeNothing) {
  auto storage = std::make_unique<PolicyStorage>();
  for (const char* name : {"", "rand", "randomly", "Random", "pct "})
    EXPECT_EQ(make_policy(name, *storage), nullptr) << name;
  EXPECT_EQ(make_policy(plan_for("nothing"), {}, *storage), nullptr);
  // A name that fills its field has no end there.
  wire::Plan plan;
  std::memset(plan.policy, 'p', sizeof(plan.policy));
  EXPECT_EQ(make_policy(plan, {}, *storage), nullptr);
  EXPECT_NE(objection(plan, {}), nullptr);
}

template <SteeringKind kKind>
constexpr wire::SteeringHeader kOne = wire::steering_header<kKind>(1);

TEST(Registry, ChoicesAreFollowedBeforeThePolicy) {
  auto storage = std::make_unique<PolicyStorage>();
  wire::Plan plan = plan_for("pct");
  EXPECT_NE(make_policy(plan, {}, *storage), nullptr);
  EXPECT_EQ(storage->prefix, nullptr);
  EXPECT_EQ(make_policy(plan, kOne<SteeringKind::choices>, *storage), storage->prefix);
  EXPECT_NE(storage->prefix, nullptr);
  EXPECT_EQ(storage->replay, nullptr);
  EXPECT_NE(make_policy(plan, wire::steering_header<SteeringKind::choices>(0), *storage), nullptr);
  EXPECT_EQ(storage->prefix, nullptr) << "there is nothing to follow";
}

TEST(Registry, ARecordedRunIsReplayedWhateverThePolicy) {
  auto storage = std::make_unique<PolicyStorage>();
  for (const PolicyInfo& info : policies()) {
    Policy* policy = make_policy(plan_for(info.name), kOne<SteeringKind::recorded>, *storage);
    EXPECT_EQ(policy, storage->replay) << info.name;
    EXPECT_NE(policy, nullptr) << info.name;
    EXPECT_EQ(storage->prefix, nullptr) << info.name;
  }
}

// Every policy with every kind: it is followed, or refused with a reason.
TEST(Registry, APolicyIsSteeredOnlyByWhatItReads) {
  auto storage = std::make_unique<PolicyStorage>();
  for (const PolicyInfo& info : policies())
    for (const wire::SteeringInfo& kind : wire::kSteeringKinds) {
      wire::SteeringHeader steering{kind.kind, kind.version, 1};
      bool wrapped = kind.kind == SteeringKind::choices && info.reads == SteeringKind::none;
      bool follows = kind.kind == info.reads || kind.kind == SteeringKind::none ||
                     kind.kind == SteeringKind::recorded || wrapped;
      wire::Plan plan = plan_for(info.name);
      EXPECT_EQ(make_policy(plan, steering, *storage) != nullptr, follows) << info.name;
      EXPECT_EQ(objection(plan, steering) == nullptr, follows) << info.name;
      EXPECT_TRUE(!wrapped || storage->prefix != nullptr) << info.name;
    }
}

// What rows mean is a matter of their kind, so plans can be compared without their policies.
TEST(Registry, EveryKindHasOneReader) {
  for (const wire::SteeringInfo& kind : wire::kSteeringKinds) {
    if (kind.kind == SteeringKind::none) continue;
    int readers = 0;
    for (const PolicyInfo& info : policies()) readers += info.reads == kind.kind;
    EXPECT_EQ(readers, 1);
  }
}

// A record without choices: the run must have none.
TEST(Registry, ARecordedRunWithoutChoicesIsReplayedToo) {
  toy::Runner runner("A: step | B: step");
  EXPECT_EQ(runner.run({plan_for("random"), facts::Recorded{}, {}}).end, End::stopped);
  ASSERT_NE(runner.storage().replay, nullptr);
  EXPECT_EQ(runner.storage().replay->diverged_at(), 0u);
}

}  // namespace
}  // namespace raddle::policy
