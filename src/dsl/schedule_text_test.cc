// SPDX-License-Identifier: Apache-2.0
//
// Printing and parsing undo each other, over random schedules: the printed text gives the same
// table, and printing that gives the same text.
#include "dsl/schedule_text.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/rng.h"
#include "dsl/schedule_parser.h"

namespace raddle::dsl {
namespace {

// A random schedule as text, with superfluous parentheses, blanks and comments.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : rng_(seed) {}

  std::string schedule() {
    std::string text;
    for (unsigned n = 1 + rng_.below(6); n > 0; --n) {
      if (!text.empty()) text += rng_.below(2) == 0 ? "," : " ";
      text += condition(0) + "->" + event();
    }
    return text;
  }

 private:
  std::string blank() {
    const char* blanks[] = {"", "", " ", "\n", " /* c */ ", "// d\n", "\t"};
    return blanks[rng_.below(7)];
  }
  std::string event() {
    const char* names[] = {"a", "b", "put", "take.begin", "q::take", "start", "end"};
    std::string name = names[rng_.below(7)];
    std::string result = blank() + name;
    if (rng_.below(3) == 0) result += "#" + std::to_string(1 + rng_.below(12));
    if (name == "start" || name == "end" || rng_.below(2) == 0)
      result += "@" + std::string(rng_.below(2) == 0 ? "producer" : "c-1");
    return result + blank();
  }
  std::string condition(unsigned depth) {
    switch (depth > 5 ? rng_.below(2) : rng_.below(5)) {
      case 0:
        return event();
      case 1:
        return blank() + "[" + event() + "]" + blank();
      case 2:
        return condition(depth + 1) + "&&" + condition(depth + 1);
      case 3:
        return condition(depth + 1) + "||" + condition(depth + 1);
      default:
        return blank() + "(" + condition(depth + 1) + ")" + blank();
    }
  }
  Rng rng_;
};

std::unique_ptr<Schedule> parse(const std::string& text) {
  auto schedule = std::make_unique<Schedule>();
  char message[512];
  TextBuffer error(message, sizeof message);
  EXPECT_TRUE(parse_schedule(text, *schedule, error)) << text << "\n" << message;
  return schedule;
}

std::string print(const Schedule& schedule) {
  std::string memory(4 * kScheduleTextMax, 0);
  TextBuffer out(memory.data(), memory.size());
  put_schedule(out, schedule);
  return std::string(out.text());
}

void expect_same(const Schedule& a, const Schedule& b) {
  ASSERT_EQ(a.event_count, b.event_count);
  ASSERT_EQ(a.ordering_count, b.ordering_count);
  ASSERT_EQ(a.code_count, b.code_count);
  for (unsigned i = 0; i < a.event_count; ++i) {
    EXPECT_EQ(a.view(a.events[i].name), b.view(b.events[i].name));
    EXPECT_EQ(a.view(a.events[i].thread), b.view(b.events[i].thread));
    EXPECT_EQ(a.events[i].occurrence, b.events[i].occurrence);
    EXPECT_EQ(a.events[i].kind, b.events[i].kind);
  }
  for (unsigned i = 0; i < a.code_count; ++i) {
    EXPECT_EQ(a.code[i].op, b.code[i].op);
    EXPECT_EQ(a.code[i].event, b.code[i].event);
  }
  for (unsigned i = 0; i < a.ordering_count; ++i) {
    EXPECT_EQ(a.orderings[i].first, b.orderings[i].first);
    EXPECT_EQ(a.orderings[i].count, b.orderings[i].count);
    EXPECT_EQ(a.orderings[i].event, b.orderings[i].event);
  }
}

TEST(ScheduleText, RoundTrip) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    std::string text = Writer(seed).schedule();
    if (text.size() > kScheduleTextMax) continue;
    std::unique_ptr<Schedule> first = parse(text);
    std::string printed = print(*first);
    std::unique_ptr<Schedule> second = parse(printed);
    expect_same(*first, *second);
    EXPECT_EQ(print(*second), printed);
    if (HasFailure()) FAIL() << "seed " << seed << ": " << text;
  }
}

TEST(ScheduleText, WhatDoesNotFitIsCut) {
  std::unique_ptr<Schedule> schedule = parse("finished -> starting");
  char memory[8];
  TextBuffer out(memory, sizeof memory);
  put_schedule(out, *schedule);
  EXPECT_STREQ(memory, "finishe");
  EXPECT_TRUE(out.full());
}

}  // namespace
}  // namespace raddle::dsl
