// SPDX-License-Identifier: Apache-2.0
//
// The judge and the describer are two readers of one verdict: whatever one calls a finding, the
// other must have words for, and of the same kind. And what the reporter keeps can be loaded again.
#include "outcome/reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <filesystem>

#include "report/describe.h"
#include "report/fake_names.h"

namespace raddle::outcome {
namespace {

using ::testing::HasSubstr;
using wire::VerdictKind;

TEST(Describing, AgreesWithJudgingForEveryEnd) {
  report::FakeNames names;
  for (int kind = 0; kind <= static_cast<int>(VerdictKind::exited); ++kind) {
    for (int status : {0, 3 << 8, SIGABRT, SIGSEGV, SIGKILL}) {
      for (int expect_exit : {0, 3}) {
        facts::Run run;
        run.verdict.kind = static_cast<VerdictKind>(kind);
        run.wait_status = status;
        run.verdict.code = status >> 8;
        run.timed_out = run.verdict.kind == VerdictKind::hang;
        // The launcher takes back an announced exit that did not come to pass.
        if (run.verdict.kind == VerdictKind::exited && (status & 0x7f) != 0)
          run.verdict.kind = VerdictKind::none;
        search::Judgement judgement = search::judge(run, expect_exit);
        auto finding = report::describe({run, names, expect_exit, "/"});
        bool is_finding = judgement.outcome == search::Outcome::finding;
        ASSERT_EQ(finding.has_value(), is_finding) << kind << " " << status << " " << expect_exit;
        EXPECT_TRUE(!is_finding || finding->kind == judgement.kind) << kind << " " << status;
      }
    }
  }
}

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
  search::Trial trial;
  trial.judgement = {search::Outcome::finding, facts::FindingKind::check};
  trial.check_exit = 7;
  trial.check_output = "wrong sum\nmore\n";
  std::vector<wire::Event> events(3);
  trial.run.events = events;
  search::Sighting sighting{trial, 12, {}, "printed", "complained"};
  facts::Finding finding = reporter.describe(sighting);
  std::string signature = reporter.signature(finding);
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
