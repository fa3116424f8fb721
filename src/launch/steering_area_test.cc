// SPDX-License-Identifier: Apache-2.0
//
// Steering on its way from the engine through the shared memory to who reads it: every kind as it
// was, none as another, and none that is not known. Tests only.
#include "launch/steering_area.h"

#include <gtest/gtest.h>

#include <vector>

namespace raddle::launch {
namespace {

using wire::SteeringKind;

constexpr std::uint32_t kSteps = 100;

class SteeringArea : public ::testing::Test {
 protected:
  SharedMemory memory_ = std::move(*SharedMemory::create(kSteps, wire::Tier::single_run));
  wire::SharedHeader& header_ = memory_.header();

  const char* unreadable() { return wire::unreadable(header_.steering, header_.steering_bytes); }

  // What a reader of that kind sees.
  template <class Kind>
  std::vector<wire::SteeringRow<Kind::kKind>> read() {
    auto rows = header_.steering_view().rows<Kind::kKind>();
    return {rows.begin(), rows.end()};
  }

  template <class Kind>
  void expect_nothing() {
    EXPECT_TRUE(read<Kind>().empty()) << static_cast<int>(Kind::kKind);
  }

  // Written over whatever was there, and read as nothing else.
  template <class Kind>
  void expect_round_trip(const Kind& steering) {
    ASSERT_TRUE(write_steering(steering, memory_));
    EXPECT_EQ(unreadable(), nullptr);
    EXPECT_EQ(header_.steering.kind, Kind::kKind);
    EXPECT_EQ(header_.steering.count, steering.rows.size());
    EXPECT_EQ(read<Kind>(), steering.rows);
    if (Kind::kKind != SteeringKind::recorded) expect_nothing<facts::Recorded>();
    if (Kind::kKind != SteeringKind::choices) expect_nothing<facts::Choices>();
    if (Kind::kKind != SteeringKind::ranks) expect_nothing<facts::Ranks>();
    if (Kind::kKind != SteeringKind::deviations) expect_nothing<facts::Deviations>();
    if (Kind::kKind != SteeringKind::lock_cycle) expect_nothing<facts::LockCycle>();
  }
};

const std::vector<wire::ChoiceRecord> kChoices = {{3, 1, wire::OpKind::mutex_lock, 2},
                                                  {wire::kAnyStep, 4, wire::OpKind::value, 9}};
const std::vector<wire::Deviation> kDeviations = {{{2, 1, wire::OpKind::none, 3}, 0b101},
                                                  {{7, 0, wire::OpKind::value, 2}, 0}};
const std::vector<wire::CycleMember> kMembers = {{{0x10000001, 64}, 1}, {{0x10000001, 128}, 2}};

TEST_F(SteeringArea, HandsEveryKindOver) {
  expect_round_trip(facts::Deviations{kDeviations});
  expect_round_trip(facts::Recorded{kChoices});
  expect_round_trip(facts::Choices{kChoices});
  expect_round_trip(facts::Ranks{kChoices});
  expect_round_trip(facts::LockCycle{kMembers});
  expect_round_trip(facts::Ranks{});
  ASSERT_TRUE(write_steering(facts::Unsteered{}, memory_));
  EXPECT_EQ(header_.steering, wire::SteeringHeader{});
  EXPECT_EQ(unreadable(), nullptr);
  expect_nothing<facts::Ranks>();
}

TEST_F(SteeringArea, IsSeenByTheEngineAsByTheTarget) {
  for (const facts::Steering& steering : std::initializer_list<facts::Steering>{
           facts::Unsteered{}, facts::Recorded{kChoices}, facts::Choices{kChoices},
           facts::Ranks{kChoices}, facts::Deviations{kDeviations}, facts::LockCycle{kMembers}}) {
    ASSERT_TRUE(write_steering(steering, memory_));
    EXPECT_EQ(facts::view_of(steering).header(), header_.steering);
    EXPECT_EQ(facts::kind_of(steering), header_.steering.kind);
  }
}

TEST_F(SteeringArea, AnUnknownKindIsRefused) {
  for (std::uint16_t kind :
       {std::size(wire::kSteeringKinds), std::size_t{99}, std::size_t{0xffff}}) {
    header_.steering = {static_cast<SteeringKind>(kind), 1, 0};
    EXPECT_STREQ(unreadable(), "the plan is steered in a way that this runtime does not know");
  }
}

TEST_F(SteeringArea, AnotherVersionIsRefusedAndNotRead) {
  ASSERT_TRUE(write_steering(facts::Deviations{kDeviations}, memory_));
  ++header_.steering.version;
  EXPECT_STREQ(unreadable(), "the plan is steered by another version of what this runtime knows");
  expect_nothing<facts::Deviations>();
  header_.steering.version = 0;
  EXPECT_NE(unreadable(), nullptr);
}

TEST_F(SteeringArea, MoreRowsThanThereIsRoomForAreRefused) {
  ASSERT_TRUE(write_steering(facts::Deviations{kDeviations}, memory_));
  auto room = static_cast<std::uint32_t>(memory_.steering().size() / sizeof(wire::Deviation));
  header_.steering.count = room;
  EXPECT_EQ(unreadable(), nullptr);
  header_.steering.count = room + 1;
  EXPECT_NE(unreadable(), nullptr);
  header_.steering.count = 0xffffffff;
  EXPECT_NE(unreadable(), nullptr);
}

// As many rows of every kind as a run of --max-steps can make choices, and no more.
TEST_F(SteeringArea, HasRoomForWhatMaxStepsAllows) {
  std::size_t most = memory_.schedule().size();
  EXPECT_GE(most, kSteps);
  EXPECT_TRUE(write_steering(facts::Recorded{{most, kChoices[0]}}, memory_));
  expect_round_trip(facts::Deviations{{most, kDeviations[0]}});
  EXPECT_FALSE(write_steering(facts::Recorded{{most + 1, kChoices[0]}}, memory_));
  EXPECT_FALSE(write_steering(facts::Deviations{{most + 1, kDeviations[0]}}, memory_));
  EXPECT_EQ(read<facts::Deviations>().size(), most) << "nothing is written then";
}

TEST_F(SteeringArea, ThePathThatABatchLeavesIsRead) {
  ASSERT_TRUE(write_steering(facts::Ranks{kChoices}, memory_));
  header_.steering_rows<SteeringKind::ranks>()[0].picked = 7;
  header_.steering.count = 1;
  facts::Ranks left = read_ranks(memory_);
  ASSERT_EQ(left.rows.size(), 1u);
  EXPECT_EQ(left.rows[0].picked, 7);
  // The number comes from memory that the program can overwrite.
  header_.steering.count = 0xffffffff;
  EXPECT_EQ(read_ranks(memory_).rows.size(), memory_.schedule().size());
  ASSERT_TRUE(write_steering(facts::Choices{kChoices}, memory_));
  EXPECT_TRUE(read_ranks(memory_).rows.empty());
}

}  // namespace
}  // namespace raddle::launch
