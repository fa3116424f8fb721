// SPDX-License-Identifier: Apache-2.0
//
// The grammar of suppressions, and what each type applies to. Engine side.
#include "report/suppressions.h"

#include <gtest/gtest.h>

namespace raddle::report {
namespace {

using facts::FindingKind;

facts::Finding finding(FindingKind kind) {
  facts::Finding finding;
  finding.kind = kind;
  finding.variable = "bank.balance";
  facts::ThreadSnapshot one, two;
  one.stack = {{.file = "lib/queue.h", .line = 3, .function = "Queue::pop()", .module = "app"},
               {.file = "main.cpp", .line = 9, .function = "worker(int)", .module = "app"}};
  two.stack = {{.file = "x.c", .line = 1, .function = "poke", .module = "libfoo.so.1"}};
  finding.threads = {one, two};
  return finding;
}

bool suppressed(const std::string& text, FindingKind kind) {
  auto rules = Suppressions::parse(text, "s");
  EXPECT_TRUE(rules);
  return rules && rules->match(finding(kind));
}

TEST(Suppressions, PatternsArePartsWithWildcardsAndAnchors) {
  EXPECT_TRUE(pattern_matches("pop", "Queue::pop()"));
  EXPECT_TRUE(pattern_matches("Q*pop", "Queue::pop()"));
  EXPECT_TRUE(pattern_matches("^Queue", "Queue::pop()"));
  EXPECT_FALSE(pattern_matches("^pop", "Queue::pop()"));
  EXPECT_TRUE(pattern_matches("pop()$", "Queue::pop()"));
  EXPECT_FALSE(pattern_matches("Queue$", "Queue::pop()"));
  EXPECT_TRUE(pattern_matches("^Q*()$", "Queue::pop()"));
  EXPECT_FALSE(pattern_matches("push", "Queue::pop()"));
  EXPECT_FALSE(pattern_matches("", "x"));
  EXPECT_FALSE(pattern_matches("x", ""));
}

TEST(Suppressions, RacesAreSuppressedByFunctionFileModuleAndVariable) {
  for (const char* rule : {"race:Queue::pop", "race:queue.h", "race:libfoo", "race:^bank.bal*$",
                           "race:worker", "race_top:poke", "called_from_lib:libfoo.so"})
    EXPECT_TRUE(suppressed(rule, FindingKind::data_race)) << rule;
  for (const char* rule : {"race:push", "race_top:worker", "mutex:poke", "thread:poke",
                           "deadlock:poke", "signal:poke", "# race:poke", ""})
    EXPECT_FALSE(suppressed(rule, FindingKind::data_race)) << rule;
}

TEST(Suppressions, OtherKindsHaveTheirOwnTypes) {
  EXPECT_TRUE(suppressed("mutex:poke", FindingKind::sync_misuse));
  EXPECT_FALSE(suppressed("race:poke", FindingKind::sync_misuse));
  EXPECT_TRUE(suppressed("thread:poke", FindingKind::leaked_thread));
  EXPECT_TRUE(suppressed("deadlock:poke", FindingKind::potential_deadlock));
  EXPECT_FALSE(suppressed("deadlock:push\nmutex:poke", FindingKind::potential_deadlock));
  EXPECT_FALSE(suppressed("deadlock:poke", FindingKind::deadlock)) << "it is no suspicion";
  EXPECT_FALSE(suppressed("race:poke\nmutex:poke\nthread:poke", FindingKind::assertion));
}

TEST(Suppressions, BadLinesAreNamed) {
  auto wrong = Suppressions::parse("# fine\n\nrace:x\nrase:y\n", "supp.txt");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("supp.txt:4: expected TYPE:PATTERN"), std::string::npos);
  EXPECT_FALSE(Suppressions::parse("race\n", "s"));
  EXPECT_FALSE(Suppressions::parse("race: \n", "s"));
  EXPECT_TRUE(Suppressions::parse("  race:x \r\n", "s"));
}

}  // namespace
}  // namespace raddle::report
