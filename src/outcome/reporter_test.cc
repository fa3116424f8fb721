// SPDX-License-Identifier: Apache-2.0
//
// What the reporter keeps can be loaded again.
#include "outcome/reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

namespace raddle::outcome {
namespace {

using ::testing::HasSubstr;

class SilentReporter : public Reporter {
 public:
  using Reporter::Reporter;
  void on_note(const std::string&) override {}
};

class KeptFinding : public ::testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/raddle-test-XXXXXX";
    ASSERT_NE(mkdtemp(path), nullptr);
    out_ = path;
  }
  void TearDown() override { std::filesystem::remove_all(out_); }

  std::string out_;
};

TEST_F(KeptFinding, CanBeLoadedAgain) {
  SilentReporter reporter({"", "judge", 0}, "/", out_);
  campaign::Trial trial;
  trial.judgement = {facts::Outcome::finding, facts::FindingKind::check};
  trial.check_exit = 7;
  trial.check_output = "wrong sum\nmore\n";
  std::vector<wire::Event> events(3);
  trial.run.events = events;
  campaign::Sighting sighting{trial, 12, {}, "printed", "complained"};
  facts::Finding finding = reporter.describe(sighting);
  std::string signature = finding.signature();
  facts::Schedule schedule;
  schedule.program = {"./bank"};
  schedule.kind = "check";
  ASSERT_TRUE(reporter.keep(finding, sighting, schedule));
  EXPECT_EQ(finding.id, 1);
  EXPECT_THAT(finding.message, HasSubstr("exit code 7: wrong sum"));
  EXPECT_EQ(signature.find("wrong sum"), std::string::npos)
      << "what a check prints must not make the same bug look new";
  auto stored = report::FindingStore(out_).load("1");
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->finding.message, finding.message);
  EXPECT_EQ(stored->schedule.program, schedule.program);
  EXPECT_EQ(stored->recording.events.size(), 3u);
  EXPECT_EQ(stored->output, "printed");
  EXPECT_EQ(stored->error_output, "complained");
}

}  // namespace
}  // namespace raddle::outcome
