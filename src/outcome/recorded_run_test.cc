// SPDX-License-Identifier: Apache-2.0
//
// Places of events in the user's code, and operations that a run did not come to carry out.
#include "outcome/recorded_run.h"

#include <gtest/gtest.h>

#include "report/fake_names.h"

namespace raddle::outcome {
namespace {

using report::FakeNames;
using wire::Event;
using wire::OpKind;

class RecordedRuns : public testing::Test {
 protected:
  RecordedRuns() {
    names_.site(1, "/project/a.cpp", 4, "f").site(2, "/project/a.cpp", 9, "g");
    names_.site(8, "/usr/include/c++/12/mutex", 100, "std::mutex::lock");
  }

  Event& add(OpKind kind, ThreadId thread, SiteId site, std::uint32_t offset) {
    Event event{};
    event.kind = kind;
    event.thread = thread;
    event.site = site;
    event.where = FakeNames::global(offset);
    return events_.emplace_back(event);
  }
  wire::ThreadReport& thread(ThreadId id, std::vector<SiteId> frames) {
    wire::ThreadReport report{};
    report.id = id;
    report.waits_for = kNoThread;
    report.frame_count = static_cast<std::uint32_t>(frames.size());
    std::copy(frames.begin(), frames.end(), report.frames);
    return run_.threads.emplace_back(report);
  }
  RecordedRun recorded() {
    run_.events = events_;
    UserSites sites(names_);
    return RecordedRun(run_, sites);
  }

  FakeNames names_;
  facts::Run run_;
  std::vector<Event> events_;
};

TEST_F(RecordedRuns, PlacesAreTheUsers) {
  add(OpKind::plain_read, 1, 1, 0);
  add(OpKind::plain_read, 1, 8, 0);
  add(OpKind::mutex_lock, 1, 8, 0).value = wire::pack_caller(2);
  add(OpKind::mutex_lock, 1, 8, 0);
  auto stacks = std::make_shared<facts::EventStacks>();
  stacks->add({});
  stacks->add({8, 2, 1});
  stacks->add({});
  stacks->add({});
  run_.stacks = stacks;
  RecordedRun run = recorded();
  EXPECT_EQ(run.places, (std::vector<SiteId>{1, 2, 2, 8}));
  EXPECT_EQ(run.recorded, 4u);
  EXPECT_TRUE(run.cycle.empty());
}

TEST_F(RecordedRuns, TheAccessThatTheHeapCaughtIsTheLast) {
  run_.verdict.kind = wire::VerdictKind::use_after_free;
  run_.verdict.thread = 1;
  run_.verdict.where = wire::make_location(wire::Region::heap, 5, 8);
  run_.verdict.block_size = 16;
  run_.verdict.access_size = 4;
  run_.verdict.is_write = 1;
  thread(1, {8, 1});
  auto stacks = std::make_shared<facts::EventStacks>();
  stacks->add_heap_record(true, 5, {2, 8, {2}});
  run_.stacks = stacks;
  RecordedRun run = recorded();
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_EQ(run.events[0].kind, OpKind::memory_free) << "nobody had touched it";
  EXPECT_EQ(run.events[0].thread, 2u);
  EXPECT_EQ(run.events[0].size, 16u);
  EXPECT_EQ(run.events[1].kind, OpKind::plain_write);
  EXPECT_EQ(run.events[1].where.offset, 8u);
  EXPECT_EQ(run.places, (std::vector<SiteId>{2, 1}));
  EXPECT_EQ(run.recorded, 0u);
  // A free that is an event is not told twice.
  events_.clear();
  add(OpKind::memory_free, 2, 2, 0).where = wire::make_location(wire::Region::heap, 5, 0);
  EXPECT_EQ(recorded().events.size(), 2u);
}

TEST_F(RecordedRuns, LocksOfADeadlockAreWaitedForAtTheEnd) {
  add(OpKind::mutex_lock, 1, 1, 0x10);
  add(OpKind::mutex_lock, 2, 2, 0x20);
  run_.verdict.kind = wire::VerdictKind::deadlock;
  thread(0, {1});
  for (ThreadId id : {ThreadId{1}, ThreadId{2}}) {
    wire::ThreadReport& report = thread(id, {8, id});
    report.in_cycle = 1;
    report.op = OpKind::mutex_lock;
    report.waits_for = static_cast<ThreadId>(3 - id);
    report.where = FakeNames::global(id == 1 ? 0x20 : 0x10);
  }
  RecordedRun run = recorded();
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(run.cycle, (Pairs{{1, 2}, {0, 3}}));
  EXPECT_EQ(run.places[2], 1u);
  EXPECT_EQ(run.events[3].where, FakeNames::global(0x10));
  // Who waits for a thread to end waits for no lock.
  run_.threads[1].op = OpKind::thread_join;
  EXPECT_EQ(recorded().cycle[0].first, RecordedRun::kNone);
}

}  // namespace
}  // namespace raddle::outcome
