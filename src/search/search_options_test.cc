// SPDX-License-Identifier: Apache-2.0
//
// Options of searches against the strategies that have a use for them.
#include "search/search_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace raddle::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Read {
  PlanOptions plan;
  FocusNames focus;
  std::string error;
};

Read read(const char* strategy, const SearchTexts& texts) {
  Read result;
  auto focus = read_search_options(**find_strategy(strategy), texts, result.plan);
  if (focus) {
    result.focus = *focus;
  } else {
    result.error = focus.error().message;
    EXPECT_EQ(focus.error().exit_code, kExitUsage);
  }
  return result;
}

SearchTexts texts(const char* option, const char* value) {
  SearchTexts all;
  for (OptionText* each : {&all.bound, &all.priority, &all.method, &all.var, &all.memory})
    if (each->by == option) each->text = value;
  return all;
}

TEST(SearchOptions, AreTakenByTheStrategiesThatUseThem) {
  for (const char* name : {"best-first", "preemption-bound", "delay-bound"})
    EXPECT_EQ(read(name, texts("--bound", "0")).plan.bound, 0u) << name;
  EXPECT_EQ(read("best-first", texts("--priority", "ss,mdpor")).plan.priority, "ss,mdpor");
  EXPECT_EQ(read("dpor", texts("--memory", "2M")).plan.memory_bytes, 2u << 20);
  Read nothing = read("random", {});
  EXPECT_EQ(nothing.error, "");
  EXPECT_FALSE(nothing.plan.bound);
  EXPECT_TRUE(nothing.focus.empty());
}

TEST(SearchOptions, AreRefusedByTheOthers) {
  EXPECT_EQ(read("dpor", texts("--bound", "2")).error,
            "--bound: strategy `dpor` does not use it; those that do: best-first, "
            "preemption-bound, delay-bound, portfolio");
  EXPECT_EQ(read("random-walk", texts("--priority", "pb")).error,
            "--priority: strategy `random-walk` does not use it; those that do: best-first");
  for (const char* option : {"--method", "--var"})
    EXPECT_THAT(read("dfs", texts(option, "x")).error, HasSubstr(option));
  EXPECT_THAT(read("pct", texts("--memory", "1G")).error, HasSubstr("--memory: strategy `pct`"));
}

TEST(SearchOptions, BadValuesAreNamed) {
  for (const char* bound : {"-1", "x", "1.5", "1000001"})
    EXPECT_THAT(read("best-first", texts("--bound", bound)).error,
                HasSubstr(std::string("--bound: `") + bound + "` is not"));
  for (const char* size : {"0", "-1M", "M", "1X", "1MB", "99999999T"})
    EXPECT_THAT(read("dpor", texts("--memory", size)).error,
                HasSubstr(std::string("--memory: `") + size + "` is not a size"));
  EXPECT_THAT(read("best-first", texts("--priority", "pb,pb")).error,
              HasSubstr("`pb` comes twice"));
}

TEST(SearchOptions, NamesAndTheirFunctionsBelongTogether) {
  SearchTexts all = texts("--priority", "method,pb,var");
  EXPECT_EQ(read("best-first", all).error,
            "--priority: `method` needs names to look for: --method");
  all.method.text = "Queue::push,pop";
  EXPECT_EQ(read("best-first", all).error, "--priority: `var` needs names to look for: --var");
  all.var.text = "total";
  Read both = read("best-first", all);
  EXPECT_EQ(both.error, "");
  EXPECT_THAT(both.focus.methods, ElementsAre("Queue::push", "pop"));
  EXPECT_THAT(both.focus.variables, ElementsAre("total"));
  EXPECT_EQ(read("best-first", texts("--var", "total")).error,
            "--var: nothing looks at these names; `var` in --priority would");
  all.method.text = "push,,pop";
  EXPECT_EQ(read("best-first", all).error, "--method: `push,,pop` has an empty name in it");
}

TEST(SearchOptions, NamesAreSplitAtCommasOutsideOfBrackets) {
  EXPECT_THAT(split_names("a, b"), ElementsAre("a", "b"));
  EXPECT_THAT(split_names("Map<int, int>::put,f(int, long)"),
              ElementsAre("Map<int, int>::put", "f(int, long)"));
  EXPECT_THAT(split_names("Set::operator<,Set::operator->,x"),
              ElementsAre("Set::operator<", "Set::operator->", "x"));
  EXPECT_THAT(split_names("Set::operator<<,x"), ElementsAre("Set::operator<<", "x"));
}

}  // namespace
}  // namespace raddle::search
