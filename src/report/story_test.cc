// SPDX-License-Identifier: Apache-2.0
//
// Which steps of hand-made runs are told.
#include "report/story.h"

#include <gtest/gtest.h>

namespace raddle::report {
namespace {

using wire::Event;
using wire::OpKind;

class StoryTest : public testing::Test {
 protected:
  Event& step(ThreadId thread, OpKind kind, std::uint32_t where = 0, std::uint64_t value = 0) {
    Event event{};
    event.thread = thread;
    event.kind = kind;
    event.where = wire::make_location(wire::Region::global, 0, where);
    event.value = value;
    event.step = static_cast<StepIndex>(events_.size());
    event.site = event.step + 1;
    event.flags = wire::kEventStep;  // no choices: nothing is a preemption
    event.size = wire::is_memory_access(kind) ? std::uint16_t{4} : std::uint16_t{0};
    events_.push_back(event);
    return events_.back();
  }
  // The indices of the events that are told.
  std::vector<std::size_t> told() {
    std::vector<std::size_t> indices;
    for (const StoryStep& step : make_story(events_, finding_, {})) indices.push_back(step.event);
    return indices;
  }
  std::vector<Event> events_;
  facts::Finding finding_;
};

TEST_F(StoryTest, ConflictsAreToldAndPrivateStepsCounted) {
  step(1, OpKind::plain_read, 8);    // 0: read by both, written by nobody
  step(1, OpKind::plain_write, 64);  // 1: written by one, read by the other
  step(1, OpKind::mutex_lock, 128);  // 2: private
  step(2, OpKind::plain_read, 8);    // 3
  step(2, OpKind::plain_read, 66);   // 4: overlaps 1
  step(2, OpKind::atomic_rmw, 256);  // 5: private
  step(2, OpKind::plain_read, 64);   // 6
  EXPECT_EQ(told(), (std::vector<std::size_t>{1, 4, 6}));
  std::vector<StoryStep> story = make_story(events_, finding_, {});
  EXPECT_EQ(story[0].skipped, 1u);
  EXPECT_EQ(story[1].skipped, 2u);
  EXPECT_EQ(story[2].skipped, 1u);
}

TEST_F(StoryTest, SettingAnObjectUpIsNotUsingIt) {
  step(0, OpKind::object_init, 8);
  step(1, OpKind::mutex_lock, 8);
  step(1, OpKind::mutex_unlock, 8);
  step(0, OpKind::yield);
  EXPECT_EQ(told(), std::vector<std::size_t>{3});
}

TEST_F(StoryTest, LocksThatOthersMayWaitForAreToldIfSomebodyIsStuck) {
  step(1, OpKind::mutex_lock, 8);      // 0: never given back
  step(1, OpKind::mutex_lock, 128);    // 1
  step(1, OpKind::mutex_unlock, 128);  // 2
  step(2, OpKind::yield);              // 3
  EXPECT_EQ(told(), std::vector<std::size_t>{3});
  facts::ThreadSnapshot stuck;
  stuck.id = 2;
  stuck.state = "blocked in lock of `m`, held by T1";
  finding_.threads = {stuck};
  EXPECT_EQ(told(), (std::vector<std::size_t>{0, 3}));
}

TEST_F(StoryTest, CreationsInARowAreOneStep) {
  step(0, OpKind::thread_create, 0, 1);
  step(0, OpKind::thread_create, 0, 2);
  step(1, OpKind::thread_start);
  step(0, OpKind::thread_create, 0, 3);
  step(0, OpKind::thread_join, 0, 1);
  std::vector<StoryStep> story = make_story(events_, finding_, {});
  ASSERT_EQ(story.size(), 2u);
  EXPECT_EQ(story[0].others, (std::vector<ThreadId>{1, 2, 3}));
  EXPECT_EQ(story[1].others, std::vector<ThreadId>{1});
}

TEST_F(StoryTest, TurnsOfALoopAreFoldedOnlyIfTheyAreAlike) {
  step(2, OpKind::atomic_store, 8);
  for (int i = 0; i < 10; ++i) {
    step(1, OpKind::atomic_load, 8).site = 90;
    step(1, OpKind::atomic_rmw, 8).site = 91;
  }
  std::vector<StoryStep> story = make_story(events_, finding_, {});
  ASSERT_EQ(story.size(), 3u);
  EXPECT_EQ(story[2].loop_length, 2u);
  EXPECT_EQ(story[2].loop_repeats, 10u);
  for (std::size_t i = 0; i < events_.size(); ++i) events_[i].value = i;
  EXPECT_EQ(told().size(), events_.size());
}

TEST_F(StoryTest, AnEmptyRunHasNoStory) { EXPECT_TRUE(told().empty()); }

}  // namespace
}  // namespace raddle::report
