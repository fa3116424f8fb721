// SPDX-License-Identifier: Apache-2.0
//
// A recorded run leads back to a plan that prescribes it, also when modules are numbered otherwise.
#include "campaign/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string.h>

#include "facts/event_hash.h"
#include "testing/fake_executor.h"

namespace raddle::campaign {
namespace {

using namespace search;  // NOLINT: toys and strategies

using ::testing::ElementsAre;

wire::Module module(const char* path, std::uint32_t site_base) {
  wire::Module result = {};
  strcpy(result.path, path);
  result.base = 0x400000;
  result.site_base = site_base;
  result.size = 0x1000;
  return result;
}

class Recording : public ::testing::Test {
 protected:
  Recording() {
    program_.argv = {"./bank", "7"};
    program_.directory = "/home";
    program_.stdin_file = "in.txt";
    program_.elf.build_id = "c0ffee";
    plan_ = Learned(toy_options()).plan("pct", 3, 5);
    plan_.header.points = wire::Points::shared;
    plan_.header.timers = wire::Timers::any;
    plan_.header.spurious = 2;
    plan_.sites =
        std::make_shared<const std::vector<SiteId>>(std::vector<SiteId>{0x1010, 0x2020, 0x9999999});
    events_ = {toy_access(wire::OpKind::plain_read, 0x1010)};
    choices_ = {{4, 1, wire::OpKind::mutex_lock, 2}, {6, 0, wire::OpKind::value, 3}};
    run_.events = events_;
    run_.choices = choices_;
    run_.steps = 9;
  }

  facts::Schedule recorded() {
    std::vector<wire::Module> modules = {module("/bin/bank", 0x1000), module("/lib/x.so", 0x2000)};
    return record(program_, {"reset", "judge", 3}, plan_, run_, modules);
  }

  launch::Program program_;
  facts::Plan plan_;
  std::vector<wire::Event> events_;
  std::vector<wire::ChoiceRecord> choices_;
  facts::Run run_;
};

TEST_F(Recording, KeepsAllThatDeterminesTheRun) {
  facts::Schedule schedule = recorded();
  EXPECT_EQ(schedule.program, program_.argv);
  EXPECT_EQ(schedule.directory, "/home");
  EXPECT_EQ(schedule.stdin_file, "in.txt");
  EXPECT_EQ(schedule.build_id, "c0ffee");
  EXPECT_EQ(schedule.before, "reset");
  EXPECT_EQ(schedule.check, "judge");
  EXPECT_EQ(schedule.expect_exit, 3);
  EXPECT_EQ(schedule.seed, plan_.header.seed);
  EXPECT_EQ(schedule.max_steps, 1000u);
  EXPECT_EQ(schedule.spurious, 2u);
  EXPECT_EQ(schedule.timers, wire::Timers::any);
  EXPECT_EQ(schedule.steps, 9u);
  EXPECT_EQ(schedule.events_hash, facts::event_hash(events_));
  EXPECT_EQ(schedule.choices, choices_);
  EXPECT_THAT(schedule.sites,
              ElementsAre(facts::SitePlace{"bank", 0x10}, facts::SitePlace{"x.so", 0x20}))
      << "a site of no module cannot be found again";
}

TEST_F(Recording, LeadsBackToAStrictPlan) {
  std::vector<wire::Module> elsewhere = {module("/lib/x.so", 0x1000), module("/bin/bank", 0x5000)};
  std::size_t unknown = 99;
  facts::Plan strict = strict_plan(recorded(), elsewhere, unknown);
  EXPECT_EQ(unknown, 0u);
  EXPECT_STREQ(strict.header.policy, "replay");
  EXPECT_TRUE(is_recorded(strict.steering));
  EXPECT_EQ(strict.header.seed, plan_.header.seed);
  EXPECT_EQ(strict.header.max_steps, 1000u);
  EXPECT_EQ(strict.header.spurious, 2u);
  EXPECT_EQ(strict.header.timers, wire::Timers::any);
  EXPECT_EQ(strict.steering, facts::Steering(facts::Recorded{choices_}));
  ASSERT_NE(strict.sites, nullptr);
  EXPECT_THAT(*strict.sites, ElementsAre(0x1020u, 0x5010u));
}

TEST_F(Recording, CountsSitesWhoseModuleIsGone) {
  std::vector<wire::Module> fewer = {module("/bin/bank", 0x1000)};
  std::size_t unknown = 0;
  strict_plan(recorded(), fewer, unknown);
  EXPECT_EQ(unknown, 1u);
}

TEST_F(Recording, RepeatsAPlanWithItsOwnChoices) {
  facts::Plan strict = strict_plan(plan_, choices_);
  EXPECT_TRUE(is_recorded(strict.steering));
  EXPECT_EQ(strict.header.seed, plan_.header.seed);
  EXPECT_EQ(strict.sites, plan_.sites);
  EXPECT_EQ(strict.steering, facts::Steering(facts::Recorded{choices_}));
}

}  // namespace
}  // namespace raddle::campaign
