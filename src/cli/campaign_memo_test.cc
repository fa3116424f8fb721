// SPDX-License-Identifier: Apache-2.0
//
// Under which names the memo knows programs and what was learned of them.
#include "cli/campaign_memo.h"

#include <gtest/gtest.h>

namespace raddle::cli {
namespace {

const KeptSearch::Facts kFacts = {
    {"program", "/src/bank"}, {"arguments", "2 x"}, {"directory", "/src"}, {"build", "0123"},
    {"--strategy", "dpor"},   {"--bound", ""},      {"--seed", "1"},       {"--points", "shared"}};

KeptSearch::Facts with(const std::string& name, const std::string& value) {
  KeptSearch::Facts facts = kFacts;
  for (auto& fact : facts)
    if (fact.first == name) {
      fact.second = value;
      return facts;
    }
  facts.emplace_back(name, value);
  return facts;
}

TEST(CampaignMemo, AProgramIsItsFileBuildAndLibraries) {
  memo::ProgramRecord program = memo_program(kFacts);
  EXPECT_EQ(program.path, "/src/bank");
  EXPECT_EQ(program.build, "0123");
  EXPECT_EQ(memo_program(with("library libraddle_rt.so", "77")), program);
  memo::ProgramRecord one = memo_program(with("library libshop.so", "77"));
  EXPECT_TRUE(one.build.starts_with("0123+"));
  EXPECT_NE(one, memo_program(with("library libshop.so", "78")));
  EXPECT_NE(program, memo_program(with("build", "0124")));
}

TEST(CampaignMemo, ASubjectIsWhatChangesWhichDataIsShared) {
  EXPECT_EQ(memo_subject(kFacts),
            "arguments=2 x\ndirectory=/src\n--strategy=dpor\n--points=shared\n");
  EXPECT_EQ(memo_subject(with("--seed", "7")), memo_subject(kFacts));
  EXPECT_EQ(memo_subject(with("build", "7")), memo_subject(kFacts));
  for (const char* name : {"arguments", "--strategy", "--bound", "--points", "input"})
    EXPECT_NE(memo_subject(with(name, "7")), memo_subject(kFacts)) << name;
}

}  // namespace
}  // namespace raddle::cli
