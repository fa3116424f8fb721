// SPDX-License-Identifier: Apache-2.0
//
// Atomicity violations in words, from hand-made accesses.
#include "report/atomicity_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/fake_names.h"

namespace raddle::report {
namespace {

using wire::Event;
using wire::OpKind;

class AtomicityWords : public testing::Test {
 protected:
  AtomicityWords() {
    names_.variable(0x100, "balance");
    names_.site(1, "/project/bank.cpp", 4, "pay").site(2, "/project/bank.cpp", 5, "pay");
    names_.site(3, "/project/bank.cpp", 9, "take").site(4, "/usr/include/c++/12/atomic", 9, "load");
  }

  static Event access(ThreadId thread, SiteId site, OpKind kind, std::uint64_t value = 100) {
    Event event{};
    event.kind = kind;
    event.thread = thread;
    event.site = site;
    event.step = site;
    event.where = FakeNames::global(0x100);
    event.size = 4;
    event.value = value;
    return event;
  }
  facts::Finding described(const Event& p, const Event& remote, const Event& i) {
    facts::Evidence violation;
    violation.kind = facts::FindingKind::atomicity_violation;
    violation.thread = i.thread;
    violation.events = {p, remote, i};
    return describe_evidence({run_, names_, 0, "/project", ""}, violation, describe_atomicity);
  }

  facts::Run run_;
  FakeNames names_;
};

TEST_F(AtomicityWords, SaysWhoDidWhatBetweenWhatAndWhatBroke) {
  facts::Finding finding =
      described(access(1, 1, OpKind::plain_read), access(2, 3, OpKind::plain_write),
                access(1, 2, OpKind::plain_write));
  EXPECT_EQ(
      finding.message,
      "on `balance`: between the two accesses of T1, which reads it at bank.cpp:4 and writes "
      "it at bank.cpp:5, T2 writes it at bank.cpp:9: case 6, a write based on a value that is "
      "no longer there");
  EXPECT_EQ(finding.variable, "balance");
  EXPECT_EQ(finding.site.line, 5);
  EXPECT_EQ(finding.thread, 1);
  ASSERT_EQ(finding.threads.size(), 3u);
  EXPECT_EQ(finding.threads[0].state, "first reads `balance` = 100");
  EXPECT_EQ(finding.threads[1].state, "then writes `balance`");
  EXPECT_EQ(finding.threads[1].id, 2);
  EXPECT_EQ(finding.threads[2].state, "then writes `balance`");
}

TEST_F(AtomicityWords, EveryCase) {
  auto words = [](OpKind p, OpKind r, OpKind i) {
    return broken_atomicity(access(1, 1, p), access(2, 2, r), access(1, 3, i)).substr(0, 6);
  };
  OpKind read = OpKind::plain_read, write = OpKind::plain_write, both = OpKind::atomic_rmw;
  EXPECT_EQ(words(read, write, read), "case 2");
  EXPECT_EQ(words(write, write, read), "case 3");
  EXPECT_EQ(words(write, read, write), "case 5");
  EXPECT_EQ(words(read, write, write), "case 6");
  EXPECT_EQ(words(both, both, both), "case 3");
  EXPECT_EQ(words(both, write, write), "case 6");
  EXPECT_EQ(words(both, read, both), "case 5");
  EXPECT_EQ(words(OpKind::atomic_load, OpKind::atomic_store, OpKind::atomic_load), "case 2");
}

// An access in a library function: the call is meant.
TEST_F(AtomicityWords, NamesTheCallers) {
  std::vector<Event> events{access(1, 4, OpKind::atomic_load), access(2, 3, OpKind::plain_write),
                            access(1, 4, OpKind::atomic_load, 7)};
  events[2].step = 9;
  auto stacks = std::make_shared<facts::EventStacks>();
  stacks->add({1});
  stacks->add({});
  stacks->add({2});
  run_.events = events;
  run_.stacks = stacks;
  facts::Finding finding = described(events[0], events[1], events[2]);
  EXPECT_THAT(finding.message, testing::HasSubstr("reads it at bank.cpp:4 and reads it at "
                                                  "bank.cpp:5"));
}

TEST_F(AtomicityWords, TheSamePlacesAreTheSameFinding) {
  auto signature_of = [&](ThreadId local, ThreadId remote, SiteId last) {
    return described(access(local, 1, OpKind::plain_read), access(remote, 3, OpKind::plain_write),
                     access(local, last, OpKind::plain_read))
        .signature();
  };
  EXPECT_EQ(signature_of(1, 2, 2), signature_of(5, 6, 2));
  EXPECT_NE(signature_of(1, 2, 2), signature_of(1, 2, 1));
}

}  // namespace
}  // namespace raddle::report
