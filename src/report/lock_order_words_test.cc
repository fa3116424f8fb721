// SPDX-License-Identifier: Apache-2.0
//
// Potential deadlocks in words, from hand-made cycles.
#include "report/lock_order_words.h"

#include <gtest/gtest.h>

#include "report/fake_names.h"

namespace raddle::report {
namespace {

using wire::Event;
using wire::OpKind;

class LockOrderWords : public testing::Test {
 protected:
  LockOrderWords() {
    names_.variable(0x100, "left").variable(0x200, "right");
    names_.site(1, "/project/bank.cpp", 4, "pay").site(2, "/project/bank.cpp", 5, "pay");
    names_.site(3, "/project/bank.cpp", 9, "take").site(4, "/project/bank.cpp", 10, "take");
  }

  static Event lock(ThreadId thread, SiteId site, std::uint32_t offset) {
    Event event{};
    event.kind = OpKind::mutex_lock;
    event.thread = thread;
    event.site = site;
    event.step = site;
    event.where = FakeNames::global(offset);
    return event;
  }
  facts::Finding described(std::vector<Event> events) {
    facts::Evidence cycle;
    cycle.kind = facts::FindingKind::potential_deadlock;
    cycle.thread = events.front().thread;
    cycle.events = std::move(events);
    return describe_evidence({run_, names_, 0, "/project", ""}, cycle, describe_lock_cycle);
  }

  facts::Run run_;
  FakeNames names_;
};

TEST_F(LockOrderWords, SaysWhoHoldsAndWantsWhatAndWhere) {
  facts::Finding finding =
      described({lock(1, 1, 0x100), lock(1, 2, 0x200), lock(2, 3, 0x200), lock(2, 4, 0x100)});
  EXPECT_EQ(finding.message,
            "T1 holds `left` (bank.cpp:4), wants `right` (bank.cpp:5); T2 holds `right` "
            "(bank.cpp:9), wants `left` (bank.cpp:10)");
  ASSERT_EQ(finding.threads.size(), 2u);
  EXPECT_TRUE(finding.threads[0].in_cycle);
  EXPECT_EQ(finding.threads[1].state, "holds `right` (bank.cpp:9), wants `left` (bank.cpp:10)");
  ASSERT_EQ(finding.threads[1].held.size(), 1u);
  EXPECT_EQ(finding.threads[1].held[0].what, "right");
  EXPECT_EQ(finding.threads[1].held[0].where.line, 9);
  EXPECT_EQ(finding.site.line, 5);
}

// Without optimisation the lock itself is taken in a library function: the call is meant.
TEST_F(LockOrderWords, NamesTheCallersOfTheVeryEvent) {
  std::vector<Event> events = {lock(1, 8, 0x100), lock(1, 8, 0x200), lock(1, 8, 0x100)};
  for (std::size_t i = 0; i < events.size(); ++i) events[i].step = static_cast<StepIndex>(i);
  names_.site(8, "/usr/include/c++/12/mutex", 100, "std::mutex::lock");
  auto stacks = std::make_shared<facts::EventStacks>();
  stacks->add({1});
  stacks->add({2});
  stacks->add({3});
  run_.events = events;
  run_.stacks = stacks;
  facts::Finding finding = described({events[0], events[1], lock(2, 3, 0x200), lock(2, 4, 0x100)});
  EXPECT_EQ(finding.threads[0].state, "holds `left` (bank.cpp:4), wants `right` (bank.cpp:5)");
}

TEST_F(LockOrderWords, TheSamePlacesAreTheSameFinding) {
  auto signature_of = [&](ThreadId first, ThreadId second, SiteId last) {
    return described({lock(first, 1, 0x100), lock(first, 2, 0x200), lock(second, 3, 0x200),
                      lock(second, last, 0x100)})
        .signature();
  };
  EXPECT_EQ(signature_of(1, 2, 4), signature_of(5, 6, 4));
  EXPECT_NE(signature_of(1, 2, 4), signature_of(1, 2, 2));
}

}  // namespace
}  // namespace raddle::report
