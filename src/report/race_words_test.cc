// SPDX-License-Identifier: Apache-2.0
//
// Races in words, from hand-made pairs of accesses.
#include "report/race_words.h"

#include <gtest/gtest.h>

#include "report/fake_names.h"

namespace raddle::report {
namespace {

using wire::Event;
using wire::OpKind;

class RaceWordsTest : public testing::Test {
 protected:
  RaceWordsTest() {
    names_.variable(0x100, "total");
    names_.site(1, "/project/sum.cpp", 4, "add").site(2, "/project/sum.cpp", 9, "print");
  }

  static Event access(OpKind kind, ThreadId thread, SiteId site, std::uint8_t bits,
                      std::uint64_t value) {
    Event event{};
    event.kind = kind;
    event.thread = thread;
    event.site = site;
    event.order = bits;
    event.size = 4;
    event.value = value;
    event.where = FakeNames::global(0x100);
    return event;
  }
  facts::Finding described(Event now, Event earlier) {
    facts::Finding finding;
    facts::Evidence race;
    race.events = {now, earlier};
    describe_race({run_, names_, 0, "/project", ""}, race, finding);
    return finding;
  }

  facts::Run run_;
  FakeNames names_;
};

TEST_F(RaceWordsTest, SaysWhoDidWhatWhereAndWhatWasThere) {
  facts::Finding finding = described(access(OpKind::race, 2, 2, 0, 7),
                                     access(OpKind::race_with, 1, 1, wire::kRaceWrite, 7));
  EXPECT_EQ(finding.message,
            "on `total`: T2 reads it at sum.cpp:9, T1 wrote it at sum.cpp:4; no lock, atomic, join "
            "or other synchronisation orders the two");
  ASSERT_EQ(finding.threads.size(), 2u);
  EXPECT_EQ(finding.threads[0].state, "wrote `total` before, leaving 7");
  EXPECT_EQ(finding.threads[1].state, "reads `total` = 7");
}

TEST_F(RaceWordsTest, TheNewValueOfAWriteIsNotKnownYet) {
  facts::Finding finding = described(access(OpKind::race, 1, 1, wire::kRaceWrite, 0xffffffff),
                                     access(OpKind::race_with, 2, 2, 0, 0xffffffff));
  EXPECT_EQ(finding.threads[0].state, "writes `total` (was -1)");
  EXPECT_EQ(finding.threads[1].state, "read `total` = -1 before");
}

TEST_F(RaceWordsTest, AValueThatIsNotKnownIsNotShown) {
  Event earlier = access(OpKind::race_with, 1, 1, wire::kRaceWrite | wire::kRaceAtomic, 0);
  earlier.flags = wire::kEventRemembered;
  facts::Finding finding = described(access(OpKind::race, 2, 2, 0, 7), earlier);
  EXPECT_EQ(finding.threads[0].state, "wrote (atomically) `total` before");
  EXPECT_NE(finding.message.find("one of the two is not atomic"), std::string::npos);
}

}  // namespace
}  // namespace raddle::report
