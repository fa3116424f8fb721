// SPDX-License-Identifier: Apache-2.0
//
// What is rejected before a run and what is not: one line each.
#include "dsl/schedule_checks.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace raddle::dsl {
namespace {

std::string compiled(std::string_view text) {
  auto schedule = std::make_unique<Schedule>();
  char message[1024];
  TextBuffer out(message, sizeof message);
  bool good = compile_schedule(text, *schedule, out);
  return (good ? "" : "error: ") + std::string(message);
}

struct Case {
  const char* schedule;
  const char* verdict;
};

TEST(ScheduleChecks, Cycles) {
  const std::string cycle = "these orderings form a cycle, so none of their events can happen: ";
  const Case cases[] = {
      {"a -> b, b -> a", "column 9: CYCLE a -> b -> a"},
      {"a -> b, b -> c, c -> a", "column 17: CYCLE a -> b -> c -> a"},
      {"x -> y, a -> b, b -> a", "column 17: CYCLE a -> b -> a"},
      {"[a] -> b, b -> a", "column 11: CYCLE a -> b -> a"},
      {"a && c -> b, b -> a", "column 14: CYCLE a -> b -> a"},
      {"b -> a, (a || b) -> b", "column 9: CYCLE b -> a -> b"},
      {"a#2 -> a", "column 1: CYCLE a -> a#2 -> a"},
      {"a@t -> start@t", "column 1: CYCLE a@t -> start@t -> a@t"},
      {"end@t -> start@t", "column 1: CYCLE end@t -> start@t -> end@t"},
      {"a@t -> b, b -> a", "column 11: CYCLE a@t -> b -> a -> a@t"},
      {"a@t -> b, b -> a#1", "column 11: CYCLE a@t -> b -> a -> a@t"},
  };
  for (const Case& test : cases) {
    std::string expected = test.verdict;
    expected.replace(expected.find("CYCLE "), 6, cycle);
    EXPECT_EQ(compiled(test.schedule), "error: " + expected) << test.schedule;
  }
}

TEST(ScheduleChecks, OtherThingsThatCannotBe) {
  EXPECT_EQ(compiled("a -> a"), "error: column 1: an event cannot come before itself: a -> a");
  EXPECT_EQ(compiled("[a] -> a"), "error: column 1: an event cannot come before itself: a -> a");
  EXPECT_EQ(
      compiled("x -> y, [end@t] -> a"),
      "error: column 9: \"[end@t] -> a\" can never hold: a thread is not blocked after its end");
}

TEST(ScheduleChecks, WhatLooksLikeACycleAndIsNone) {
  for (const char* schedule :
       {"a -> b, b -> c", "a || c -> b, b -> a", "a -> b@t, b -> a", "a#1 -> a#2", "a -> a#2",
        "a@t -> a@u", "b -> a#2, a -> b", "a@t -> a#2", "start@t -> a@t, a@t -> end@t",
        "[start@t] -> a", "end@t -> start#2@t", "[end@t] || b -> a",
        "finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2"})
    EXPECT_EQ(compiled(schedule), "") << schedule;
}

TEST(ScheduleChecks, Warnings) {
  EXPECT_EQ(compiled("a -> b, a -> b"), "column 9: \"a -> b\" stands there twice");
  EXPECT_EQ(compiled("a->b,\nx->y\n(a) -> b"), "line 3, column 1: \"a -> b\" stands there twice");
  EXPECT_EQ(compiled("[a@t] -> b@t"),
            "column 1: \"[a@t] -> b@t\" asks for an event of a thread while it is blocked: it can "
            "only hold if several threads are named \"t\"");
  EXPECT_EQ(compiled("end@t -> b@t"),
            "column 1: \"end@t -> b@t\" asks for an event of a thread after its end: it can only "
            "hold if several threads are named \"t\"");
}

TEST(ScheduleChecks, AsManyAsThereIsRoomFor) {
  auto schedule = std::make_unique<Schedule>();
  char message[256];
  TextBuffer out(message, sizeof message);
  ASSERT_FALSE(compile_schedule("a -> a, b -> b, c -> c", *schedule, out));
  Diagnostic found[2];
  EXPECT_EQ(check_schedule(*schedule, found, 2), 2u);
  EXPECT_EQ(found[1].offset, 8u);
  EXPECT_TRUE(found[1].is_error);
}

// The largest tables: a chain in the worst order for the fixpoint is still done at once.
TEST(ScheduleChecks, LongChains) {
  std::string text;
  for (int i = 0; i < 255; ++i)
    text += "e" + std::to_string(i + 1) + " -> e" + std::to_string(i) + "\n";
  EXPECT_EQ(compiled(text), "");
  EXPECT_NE(compiled(text + "e0 -> e255").find("cycle"), std::string::npos);
}

}  // namespace
}  // namespace raddle::dsl
