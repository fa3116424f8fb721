// SPDX-License-Identifier: Apache-2.0
//
// Accesses below different locks in words, from evidence made by hand.
#include "report/lockset_words.h"

#include <gtest/gtest.h>

#include "report/fake_names.h"

namespace raddle::report {
namespace {

using wire::Event;
using wire::OpKind;

class LocksetWords : public testing::Test {
 protected:
  LocksetWords() {
    names_.variable(0x100, "total").variable(0x200, "left").variable(0x300, "right");
    names_.site(1, "/project/bank.cpp", 4, "pay").site(2, "/project/bank.cpp", 9, "take");
  }

  static Event event(OpKind kind, ThreadId thread, SiteId site, std::uint32_t offset) {
    Event event{};
    event.kind = kind;
    event.thread = thread;
    event.site = site;
    event.where = FakeNames::global(offset);
    return event;
  }
  facts::Finding described(std::vector<Event> events) {
    facts::Evidence evidence;
    evidence.kind = facts::FindingKind::inconsistent_locks;
    evidence.thread = events.front().thread;
    evidence.events = std::move(events);
    return describe_evidence({run_, names_, 0, "/project", ""}, evidence, describe_lockset);
  }

  facts::Run run_;
  FakeNames names_;
};

TEST_F(LocksetWords, SaysWhatWasHeldAtEachAccess) {
  Event read_lock = event(OpKind::held, 1, 0, 0x300);
  read_lock.order = 1;
  facts::Finding finding =
      described({event(OpKind::plain_write, 1, 1, 0x100), event(OpKind::held, 1, 0, 0x200),
                 read_lock, event(OpKind::plain_read, 2, 2, 0x100)});
  EXPECT_EQ(finding.message,
            "no lock protects `total` at every access: T1 writes it at bank.cpp:4 holding `left`, "
            "`right` (for reading), T2 read it at bank.cpp:9 holding no lock");
  EXPECT_EQ(finding.variable, "total");
  EXPECT_EQ(finding.site.line, 4);
  ASSERT_EQ(finding.threads.size(), 2u);
  ASSERT_EQ(finding.threads[0].held.size(), 2u);
  EXPECT_EQ(finding.threads[0].held[0].what, "left");
  EXPECT_EQ(finding.threads[1].state, "read `total` holding no lock");
}

TEST_F(LocksetWords, DoesNotSayWhatItDoesNotKnow) {
  Event earlier = event(OpKind::plain_write, 2, 2, 0x100);
  earlier.flags = wire::kEventRemembered;
  facts::Finding finding = described({event(OpKind::plain_write, 1, 1, 0x100), earlier});
  EXPECT_NE(finding.message.find("T2 wrote it at bank.cpp:9 some time before"), std::string::npos)
      << finding.message;
}

TEST_F(LocksetWords, OneVariableIsOneFinding) {
  auto signature_of = [&](SiteId site, std::uint32_t offset) {
    return described({event(OpKind::plain_write, 1, site, offset)}).signature();
  };
  EXPECT_EQ(signature_of(1, 0x100), signature_of(2, 0x100));
  EXPECT_NE(signature_of(1, 0x100), signature_of(1, 0x200));
  // Without a name, the place in the code has to do.
  names_.variable(0x400, "heap block #7").variable(0x500, "heap block #9");
  EXPECT_EQ(signature_of(1, 0x400), signature_of(1, 0x500));
  EXPECT_NE(signature_of(1, 0x400), signature_of(2, 0x400));
}

}  // namespace
}  // namespace raddle::report
