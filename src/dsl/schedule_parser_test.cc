// SPDX-License-Identifier: Apache-2.0
//
// The grammar of schedules, sentence by sentence; what is said of texts that are none; and any
// bytes at all, which must neither crash the parser nor keep it busy.
#include "dsl/schedule_parser.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/rng.h"
#include "dsl/schedule_checks.h"
#include "dsl/schedule_text.h"

namespace raddle::dsl {
namespace {

// The canonical text, or "error: " and the message.
std::string parsed(std::string_view text) {
  auto schedule = std::make_unique<Schedule>();
  char message[512];
  TextBuffer error(message, sizeof message);
  if (!parse_schedule(text, *schedule, error)) return "error: " + std::string(message);
  std::string memory(4 * kScheduleTextMax, 0);
  TextBuffer out(memory.data(), memory.size());
  put_schedule(out, *schedule);
  return std::string(out.text());
}

struct Sentence {
  const char* text;
  const char* meaning;
};

TEST(ScheduleParser, Grammar) {
  const Sentence sentences[] = {
      {"a->b", "a -> b"},
      {"finishedAdd1->startingTake1,[startingTake2]->startingAdd2",
       "finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2"},
      {"a -> b c -> d", "a -> b, c -> d"},
      {"a -> b (c) -> d [e] -> f", "a -> b, c -> d, [e] -> f"},
      {"a || b && c -> d", "a || b && c -> d"},
      {"(a || b) && c -> d", "(a || b) && c -> d"},
      {"a && (b && c) -> d", "a && (b && c) -> d"},
      {"(a && b) && c -> d", "a && b && c -> d"},
      {"((a)) -> d", "a -> d"},
      {"(a && b) || (c && d) -> e", "a && b || c && d -> e"},
      {"a || (b || c) -> d", "a || (b || c) -> d"},
      {"a@t -> b@u", "a@t -> b@u"},
      {"put#2@producer -> take#10", "put#2@producer -> take#10"},
      {"[take#2@consumer-1] -> put", "[take#2@consumer-1] -> put"},
      {"[ take@c ] -> put", "[take@c] -> put"},
      {"start@t -> a, a -> end@t", "start@t -> a, a -> end@t"},
      {"start#2@t -> a", "start#2@t -> a"},
      {"org.queue.Queue.put -> a::b::c", "org.queue.Queue.put -> a::b::c"},
      {"a // first\n -> /* then\n */ b", "a -> b"},
      {"startup -> ending", "startup -> ending"},
      {"x.start -> end.y", "x.start -> end.y"},
      {"a@1 -> b@2-3", "a@1 -> b@2-3"},
      {"a@t->b", "a@t -> b"},
      {"_a1 -> B_2", "_a1 -> B_2"},
      {"\n\ta\r\n->b ", "a -> b"},
      {"a#007 -> b", "a#7 -> b"},
  };
  for (const Sentence& sentence : sentences)
    EXPECT_EQ(parsed(sentence.text), sentence.meaning) << sentence.text;
}

TEST(ScheduleParser, ErrorsPointAtTheColumn) {
  const Sentence sentences[] = {
      {"", "column 1: expected an ordering such as \"a -> b\", but the schedule is empty"},
      {" // nothing",
       "column 12: expected an ordering such as \"a -> b\", but the schedule is empty"},
      {"finishedAdd ->", "column 15: expected an event after \"->\", but the schedule ends here"},
      {"finishedAdd -> , b", "column 16: expected an event after \"->\", not \",\""},
      {"a",
       "column 2: expected \"->\", \"&&\" or \"||\" after the condition, but the schedule ends "
       "here"},
      {"a b -> c", "column 3: expected \"->\", \"&&\" or \"||\" after the condition, not \"b\""},
      {"a -> b,", "column 8: expected an ordering after \",\", but the schedule ends here"},
      {"a -> b -> c", "column 8: orderings cannot be chained: write \"a -> b, b -> c\""},
      {"a -> [b]", "column 6: a block event such as \"[e]\" can only stand on the left of \"->\""},
      {"a -> (b)", "column 6: expected one event after \"->\", without parentheses"},
      {"a -> b && c",
       "column 8: only one event can stand on the right of \"->\": write an ordering for each"},
      {"(a -> b", "column 4: expected \")\", \"&&\" or \"||\", not \"->\""},
      {"(a", "column 1: this \"(\" is never closed"},
      {"[a", "column 1: this \"[\" is never closed"},
      {"[a && b] -> c",
       "column 4: expected \"]\" after the event: a block event holds one, not \"&&\""},
      {"[] -> c", "column 2: expected an event after \"[\", not \"]\""},
      {"[[a]] -> c", "column 2: expected an event after \"[\", not \"[\""},
      {"() -> c", "column 2: expected an event after \"(\", not \")\""},
      {"a && -> c", "column 6: expected an event after \"&&\", not \"->\""},
      {"a || || b -> c", "column 6: expected an event after \"||\", not \"||\""},
      {"start -> a",
       "column 1: \"start\" is the event of a thread and needs its name: start@thread"},
      {"a -> end", "column 6: \"end\" is the event of a thread and needs its name: end@thread"},
      {"a@ t -> b", "column 3: expected the name of a thread after \"@\""},
      {"a@t#2 -> b", "column 4: the occurrence stands before the thread: e#2@t"},
      {"a#0 -> b", "column 3: occurrences count from 1: the first is a#1"},
      {"a# -> b", "column 3: expected a number after \"#\", as in e#2"},
      {"a#65536 -> b", "column 3: an occurrence is a number up to 65535, not 65536"},
      {"a#99999999999999999999 -> b",
       "column 3: an occurrence is a number up to 65535, not 99999999999999999999"},
      {"a - b",
       "column 3: expected \"->\", \"&&\" or \"||\" after the condition; an arrow is \"->\""},
      {"a & b -> c",
       "column 3: expected \"->\", \"&&\" or \"||\" after the condition; \"and\" is \"&&\""},
      {"!a -> c", "column 1: expected an event; there is no negation in schedules"},
      {"a. -> c", "column 2: expected \"->\", \"&&\" or \"||\" after the condition, not \".\""},
      {"1a -> c", "column 1: expected an event, not \"1a\""},
      {"\xc3\xa4 -> c", "column 1: expected an event, not a character that no schedule contains"},
      {"a -> b,\n  c ->\n  d ->",
       "line 3, column 5: orderings cannot be chained: write \"a -> b, b -> c\""},
      {"a -> b /* never", "column 8: this comment is never closed"},
      {"a@abcdefghijklmnopqrstuvwxyz_abcdef -> b",
       "column 3: the name of a thread has at most 31 characters"},
  };
  for (const Sentence& sentence : sentences)
    EXPECT_EQ(parsed(sentence.text), std::string("error: ") + sentence.meaning) << sentence.text;
}

TEST(ScheduleParser, LimitsAreErrors) {
  EXPECT_EQ(parsed(std::string(kScheduleTextMax + 1, ' ')),
            "error: the schedule has 8193 characters, at most 8192 are allowed");
  EXPECT_EQ(parsed(std::string(kNameMax + 1, 'a') + " -> b"),
            "error: column 1: the name of an event has at most 127 characters");
  EXPECT_EQ(parsed(std::string(kNameMax, 'a') + " -> b"), std::string(kNameMax, 'a') + " -> b");
  EXPECT_EQ(parsed(std::string(kNestingMax, '(') + "a" + std::string(kNestingMax, ')') + " -> b"),
            "a -> b");
  EXPECT_EQ(parsed(std::string(kNestingMax + 1, '(') + "a"),
            "error: column 25: parentheses are nested too deeply");
  std::string many = "a -> b";
  for (unsigned i = 1; i < kOrderingsMax; ++i) many += " a -> b";
  EXPECT_EQ(parsed(many).substr(0, 6), "a -> b");
  EXPECT_EQ(parsed(many + " a -> b"),
            "error: column 1793: too many orderings: a schedule has at most 256");
  std::string wide = "e0";
  for (unsigned i = 1; i < kEventsMax; ++i) wide += " || e" + std::to_string(i);
  EXPECT_EQ(parsed(wide + " -> e0"), wide + " -> e0");
  EXPECT_NE(parsed(wide + " -> f").find("too many events"), std::string::npos);
  std::string deep = "a";
  for (unsigned i = 0; i < kCodeMax / 2; ++i) deep += "&&a";
  EXPECT_NE(parsed(deep + " -> b").find("are too long"), std::string::npos);
}

// Whatever the bytes: an answer, and if it is an error, one line with a place inside the text.
void expect_an_answer(const std::string& text) {
  std::string answer = parsed(text);
  if (answer.rfind("error: ", 0) == 0) {
    EXPECT_EQ(answer.find('\n'), std::string::npos);
    EXPECT_TRUE(answer.find("column ") != std::string::npos ||
                answer.find("characters") != std::string::npos)
        << answer;
    return;
  }
  EXPECT_EQ(parsed(answer), answer);
  auto schedule = std::make_unique<Schedule>();
  char message[512];
  TextBuffer error(message, sizeof message);
  compile_schedule(text, *schedule, error);
}

TEST(ScheduleParserFuzz, AnyBytes) {
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text(rng.below(60), 0);
    for (char& c : text) c = static_cast<char>(rng.below(256));
    expect_an_answer(text);
  }
}

TEST(ScheduleParserFuzz, AnyWords) {
  const char* words[] = {"a",  "b",  "start", "end", "@",  "@t", "#",  "#2", "->",
                         "&&", "||", "(",     ")",   "[",  "]",  ",",  " ",  "\n",
                         "/*", "*/", "//",    "a.b", "::", "-",  "\"", "0",  "[a]"};
  Rng rng(2);
  for (int i = 0; i < 40000; ++i) {
    std::string text;
    for (unsigned n = rng.below(16); n > 0; --n) text += words[rng.below(std::size(words))];
    expect_an_answer(text);
  }
}

TEST(ScheduleParserFuzz, DamagedSchedules) {
  const std::string good[] = {
      "finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2",
      "(a#2@t || [b@u]) && start@v -> c.d /* x */ , e::f -> end@v // y",
  };
  Rng rng(3);
  for (int i = 0; i < 40000; ++i) {
    std::string text = good[rng.below(2)];
    for (unsigned n = 1 + rng.below(4); n > 0 && !text.empty(); --n) {
      unsigned at = rng.below(static_cast<std::uint32_t>(text.size()));
      switch (rng.below(4)) {
        case 0:
          text.erase(at, 1 + rng.below(5));
          break;
        case 1:
          text[at] = static_cast<char>(rng.below(256));
          break;
        case 2:
          text.insert(at, text.substr(rng.below(at + 1), rng.below(9)));
          break;
        default:
          std::swap(text[at], text[rng.below(static_cast<std::uint32_t>(text.size()))]);
      }
    }
    expect_an_answer(text);
  }
}

}  // namespace
}  // namespace raddle::dsl
