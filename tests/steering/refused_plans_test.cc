// SPDX-License-Identifier: Apache-2.0
//
// What the runtime does with a plan that it cannot carry out: a verdict that says why, in place and
// in a process of its own, and the next plan is carried out as if nothing had been.
#include <gtest/gtest.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/steering_area.h"
#include "wire/batch.h"

namespace raddle {
namespace {

using wire::SteeringKind;
using wire::VerdictKind;

int bodies_called;

class RefusedPlans : public ::testing::Test {
 protected:
  RefusedPlans() {
    attached_ = raddle_in_process_attach(&header_);
    plan_by("random");
  }
  ~RefusedPlans() override { raddle_in_process_detach(); }

  void plan_by(const char* policy) {
    header_.plan = {};
    strcpy(header_.plan.policy, policy);
    header_.plan.max_steps = 1000;
  }
  void run() {
    bodies_called = 0;
    raddle_in_process_run(&body_);
  }
  void expect_refused(const char* reason) {
    run();
    EXPECT_EQ(bodies_called, 0);
    EXPECT_EQ(header_.verdict.kind, VerdictKind::unsupported);
    EXPECT_STREQ(header_.verdict.message, reason);
  }

  launch::SharedMemory memory_ =
      std::move(*launch::SharedMemory::create(1000, wire::Tier::single_run));
  wire::SharedHeader& header_ = memory_.header();
  wire::Body body_ = {[](void*) { ++bodies_called; }, nullptr};
  const char* attached_ = nullptr;
};

constexpr const char* kUnknown = "the plan is steered in a way that this runtime does not know";
constexpr const char* kVersion =
    "the plan is steered by another version of what this runtime knows";
constexpr const char* kNotRead = "the plan is steered in a way that its policy does not follow";

TEST_F(RefusedPlans, SayWhy) {
  ASSERT_STREQ(attached_, nullptr);
  header_.steering = {static_cast<SteeringKind>(99), 1, 0};
  expect_refused(kUnknown);
  header_.steering = wire::steering_header<SteeringKind::choices>(1);
  ++header_.steering.version;
  expect_refused(kVersion);
  header_.steering = wire::steering_header<SteeringKind::choices>(0xffffffff);
  expect_refused("the plan says more about its choices than there is room for");
  header_.steering = wire::steering_header<SteeringKind::ranks>(0);
  expect_refused(kNotRead);
  plan_by("nothing");
  header_.steering = {};
  expect_refused("the plan names a policy that this runtime does not know");
}

TEST_F(RefusedPlans, LeaveNothingBehind) {
  ASSERT_STREQ(attached_, nullptr);
  header_.steering = {static_cast<SteeringKind>(99), 1, 0};
  expect_refused(kUnknown);
  header_.steering = {};
  run();
  EXPECT_EQ(bodies_called, 1);
  EXPECT_EQ(header_.verdict.kind, VerdictKind::none);
  EXPECT_STREQ(header_.verdict.message, "");
}

TEST_F(RefusedPlans, EndABatchBeforeItsFirstRun) {
  ASSERT_STREQ(attached_, nullptr);
  header_.steering = wire::steering_header<SteeringKind::deviations>(0);
  wire::Batch batch;
  batch.count = 10;
  bodies_called = 0;
  raddle_in_process_batch(&batch, &body_);
  EXPECT_EQ(bodies_called, 0);
  EXPECT_EQ(batch.runs, 0u);
  EXPECT_EQ(batch.end, wire::BatchEnd::failed);
  EXPECT_STREQ(header_.verdict.message, kNotRead);
}

TEST_F(RefusedPlans, EndTheProcessOfTheirRunOnly) {
  ASSERT_STREQ(attached_, nullptr);
  int commands[2], replies[2];
  ASSERT_EQ(pipe(commands) + pipe(replies), 0);
  pid_t server = fork();
  if (server == 0) {
    close(commands[1]);
    close(replies[0]);
    raddle_in_process_serve(commands[0], replies[1], &body_);
  }
  auto run_there = [&] {
    header_.verdict.kind = VerdictKind::none;
    wire::Command command = wire::Command::run;
    wire::Reply reply{};
    EXPECT_EQ(write(commands[1], &command, 1), 1);
    EXPECT_EQ(read(replies[0], &reply, sizeof reply), ssize_t{sizeof reply});
    EXPECT_TRUE(WIFEXITED(reply.wait_status));
    return WEXITSTATUS(reply.wait_status);
  };
  header_.steering = wire::steering_header<SteeringKind::choices>(1);
  header_.steering.version = 7;
  EXPECT_EQ(run_there(), 77);
  EXPECT_EQ(header_.verdict.kind, VerdictKind::unsupported);
  EXPECT_STREQ(header_.verdict.message, kVersion);
  header_.steering = {};
  EXPECT_EQ(run_there(), 0);
  EXPECT_EQ(header_.verdict.kind, VerdictKind::none);
  close(commands[1]);
  EXPECT_EQ(waitpid(server, nullptr, 0), server);
}

}  // namespace
}  // namespace raddle
