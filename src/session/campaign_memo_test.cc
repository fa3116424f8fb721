// SPDX-License-Identifier: Apache-2.0
//
// Under which names the memo knows what was learned of programs.
#include "session/campaign_memo.h"

#include <gtest/gtest.h>

namespace raddle::session {
namespace {

const Facts kFacts = {{"program", "/src/bank"}, {"arguments", "2 x"},   {"directory", "/src"},
                      {"build", "0123"},        {"--strategy", "dpor"}, {"--bound", ""},
                      {"--seed", "1"},          {"--points", "shared"}};

Facts with(const std::string& name, const std::string& value) {
  Facts facts = kFacts;
  for (auto& fact : facts)
    if (fact.first == name) {
      fact.second = value;
      return facts;
    }
  facts.emplace_back(name, value);
  return facts;
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
}  // namespace raddle::session
