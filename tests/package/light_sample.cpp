// SPDX-License-Identifier: Apache-2.0
//
// Schedules with real threads: each order is enforced, so each outcome is certain.
#include <gtest/gtest.h>
#include <raddle/gtest.h>

#include <string>
#include <thread>

#include "account.h"

RADDLE_TEST(Light, Orders, RADDLE_SCHEDULE("rentFirst", "paidRent -> payFood"),
            RADDLE_SCHEDULE("foodFirst", "paidFood -> payRent")) {
  Account account(100);
  bool rent_paid = false;
  std::thread rent([&] {
    raddle_event("payRent");
    rent_paid = account.withdraw(80);
    raddle_event("paidRent");
  });
  raddle_event("payFood");
  const bool food_paid = account.withdraw(60);
  raddle_event("paidFood");
  rent.join();
  const bool rent_first = std::string(raddle_schedule_name()) == "rentFirst";
  EXPECT_EQ(rent_paid, rent_first);
  EXPECT_EQ(food_paid, !rent_first);
}

RADDLE_TEST(Light, Impossible, RADDLE_SCHEDULE("unwanted", "never -> wait"),
            RADDLE_EXPECT_INFEASIBLE("wanted", "never -> wait")) {
  raddle_event("wait");
}

RADDLE_TEST(Light, WrongSchedule, RADDLE_SCHEDULE("one", "a ->")) {}

RADDLE_TEST(Light, FailsAsUsual) { EXPECT_EQ(Account(1).amount(), 2); }
