// SPDX-License-Identifier: Apache-2.0
//
// The running example under load, and what is said when a schedule is wrong, infeasible or
// violated. Own program, see harness.h.
#include <atomic>

#include "light/harness.h"
#include "light/queue.h"

namespace raddle::light_tests {

class Queue : public LightTest {};

TEST_F(Queue, BothSchedulesPassAThousandTimesUnderLoad) {
  const BusyProcesses busy(2);
  for (int run = 0; run < 1000; ++run) {
    {
      const ScheduleScope schedule("take waits", kTakeWaits);
      ASSERT_STREQ(current_schedule(), "take waits");
      ASSERT_EQ(add_and_take_twice(), 1) << "in run " << run;
    }
    {
      const ScheduleScope schedule("take finds", kTakeFinds);
      ASSERT_EQ(add_and_take_twice(), 0) << "in run " << run;
    }
    ASSERT_EQ(said(), "");
  }
  EXPECT_STREQ(current_schedule(), "");
}

TEST_F(Queue, SpinningIsNotBlockedSoTheScheduleHangs) {
  setenv("RADDLE_LIGHT_TIMEOUT", "0.5", 1);
  {
    const ScheduleScope schedule("take waits", kTakeWaits);
    add_and_take_twice(true);
  }
  EXPECT_NE(said().find("schedule \"take waits\" hangs"), std::string::npos) << said();
  EXPECT_NE(said().find("adder is held back at startingAdd2"), std::string::npos) << said();
  EXPECT_NE(said().find("[startingTake2] does not hold: main is not blocked, it runs"),
            std::string::npos)
      << said();
}

TEST_F(Queue, CyclicScheduleIsRefusedAtOnce) {
  const ScheduleScope schedule("circle", "a -> b, b -> a");
  EXPECT_NE(said().find("schedule \"circle\": "), std::string::npos) << said();
  EXPECT_STREQ(current_schedule(), "");
  RADDLE_EVENT("b");  // nobody is held back
}

TEST_F(Queue, BadTextIsRefusedWithItsColumn) {
  char message[200];
  EXPECT_EQ(raddle_schedule_error("a -> b", message, sizeof message), 0);
  EXPECT_STREQ(message, "");
  EXPECT_NE(raddle_schedule_error("a -> b, c ->", message, sizeof message), 0);
  EXPECT_NE(std::string(message).find("column 13"), std::string::npos) << message;
}

TEST_F(Queue, FullQueueMakesTheScheduleInfeasible) {
  {
    const ScheduleScope schedule("full", "finishedAdd2 -> startingTake1");
    EXPECT_GE(add_and_take_twice(), 0) << "held back no more, the test comes to its end";
  }
  EXPECT_NE(said().find("deadlock caused by schedule \"full\": 1 thread is held back"),
            std::string::npos)
      << said();
  EXPECT_NE(said().find("main is held back at startingTake1\n"
                        "    by finishedAdd2 -> startingTake1: finishedAdd2 has not happened\n"),
            std::string::npos)
      << said();
  EXPECT_NE(said().find("adder waits for a condition"), std::string::npos) << said();
}

TEST_F(Queue, ExpectedInfeasibilityInvertsTheVerdict) {
  {
    const ScheduleScope schedule("full", "finishedAdd2 -> startingTake1",
                                 RADDLE_SCHEDULE_INFEASIBLE);
    add_and_take_twice();
  }
  EXPECT_EQ(said(), "");
  {
    const ScheduleScope schedule("take waits", kTakeWaits, RADDLE_SCHEDULE_INFEASIBLE);
    EXPECT_EQ(add_and_take_twice(), 1);
  }
  EXPECT_EQ(said(),
            "schedule \"take waits\" was expected to be infeasible, but this run satisfied it\n");
}

// Passes the events in the given order, by threads of their own.
void pass_in_order(std::initializer_list<const char*> events) {
  for (const char* event : events) std::thread([=] { RADDLE_EVENT(event); }).join();
}

TEST_F(Queue, PassiveModeFlagsEachReversedOrdering) {
  const char* const text = "a -> b, b -> c, a && b -> d";
  struct Case {
    std::initializer_list<const char*> events;
    const char* violated;  // orderings, null: none
  };
  const Case cases[] = {
      {{"a", "b", "c", "d"}, nullptr},
      {{"b", "a", "c", "d"}, "by a -> b: a has not happened"},
      {{"a", "c", "b", "d"}, "by b -> c: b has not happened"},
      {{"a", "d", "b", "c"}, "by a && b -> d: b has not happened"},
  };
  for (const Case& one : cases) {
    messages.clear();
    {
      const ScheduleScope schedule("order", text, RADDLE_SCHEDULE_PASSIVE);
      pass_in_order(one.events);
    }
    if (one.violated == nullptr) {
      EXPECT_EQ(said(), "");
      continue;
    }
    EXPECT_EQ(messages.size(), 1u) << said();
    EXPECT_NE(said().find("schedule \"order\" is violated"), std::string::npos) << said();
    EXPECT_NE(said().find(one.violated), std::string::npos) << said();
  }
}

TEST_F(Queue, PassiveModeKnowsBlockEvents) {
  {
    const ScheduleScope schedule("take waits", kTakeWaits, RADDLE_SCHEDULE_PASSIVE);
    RADDLE_EVENT("finishedAdd1");
    RADDLE_EVENT("startingTake1");
    RADDLE_EVENT("startingTake2");
    std::thread([] { RADDLE_EVENT("startingAdd2"); }).join();  // this thread waits, in the join
    EXPECT_EQ(said(), "");
    RADDLE_EVENT("startingAdd2");
  }
  EXPECT_NE(said().find("by [startingTake2] -> startingAdd2: [startingTake2] does not hold"),
            std::string::npos)
      << said();
}

TEST_F(Queue, OrderingsWithNothingToOrderAreNamed) {
  testing::internal::CaptureStderr();
  {
    const ScheduleScope schedule("typo", "finishedAdd1 -> startingTakeOne");
    add_and_take_twice();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "raddle: schedule \"typo\": finishedAdd1 -> startingTakeOne had nothing to order: "
            "startingTakeOne did not happen\n");
  EXPECT_EQ(said(), "");
}

TEST_F(Queue, OneScheduleAtATime) {
  const ScheduleScope schedule("outer", "a -> b");
  raddle_schedule_begin("inner", "c -> d", 0);
  EXPECT_EQ(said(), "schedule \"inner\" cannot begin: schedule \"outer\" is still in force\n");
  EXPECT_STREQ(current_schedule(), "outer");
  RADDLE_EVENT("a");
  RADDLE_EVENT("b");
}

}  // namespace raddle::light_tests
