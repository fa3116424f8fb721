// SPDX-License-Identifier: Apache-2.0
//
// What makes a program another one.
#include "outcome/program_facts.h"

#include <gtest/gtest.h>

namespace raddle::outcome {
namespace {

Facts with(const std::string& name, const std::string& value) {
  Facts facts = {{"program", "/src/bank"}, {"arguments", "2 x"}, {"--seed", "1"}};
  facts.emplace_back("build", name == "build" ? value : "0123");
  if (name != "build") facts.emplace_back(name, value);
  return facts;
}

TEST(ProgramFacts, AProgramIsItsFileBuildAndLibraries) {
  memo::ProgramRecord program = memo_program(with("build", "0123"));
  EXPECT_EQ(program.path, "/src/bank");
  EXPECT_EQ(program.build, "0123");
  EXPECT_EQ(memo_program(with("library libraddle_rt.so", "77")), program);
  memo::ProgramRecord one = memo_program(with("library libshop.so", "77"));
  EXPECT_TRUE(one.build.starts_with("0123+"));
  EXPECT_NE(one, memo_program(with("library libshop.so", "78")));
  EXPECT_NE(program, memo_program(with("build", "0124")));
}

TEST(ProgramFacts, AreFoundByName) {
  Facts facts = with("--check", "a=b\\c\nd");
  ASSERT_NE(find_fact(facts, "--check"), nullptr);
  EXPECT_EQ(find_fact(facts, "--bound"), nullptr);
  EXPECT_TRUE(print_facts(facts).ends_with("\n--check=a=b\\\\c\\nd\n"));
}

TEST(ProgramFacts, OfThisVeryProgram) {
  launch::Program program;
  program.path = launch::own_executable();
  program.argv = {"./tests", "one", "two"};
  program.directory = "/";
  program.elf.build_id = "0123";
  Facts facts = program_facts(program);
  EXPECT_EQ(*find_fact(facts, kFactProgram), program.path);
  EXPECT_EQ(*find_fact(facts, kFactArguments), "one two");
  EXPECT_EQ(*find_fact(facts, kFactBuild), "0123");
}

}  // namespace
}  // namespace raddle::outcome
