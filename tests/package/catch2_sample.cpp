// SPDX-License-Identifier: Apache-2.0
//
// Catch2 under raddle: what passes and fails is checked by tests/package_test.py.
#include <raddle/catch2.h>

#include <thread>

#include "account.h"

TEST_CASE("plain") {
  SECTION("of its own") { CHECK(Account(100).amount() == 100); }
}

RADDLE_TEST_CASE("careless", "[account]") {
  Account account(100);
  std::thread rent([&] { account.withdraw_carelessly(80); });
  account.withdraw_carelessly(60);
  rent.join();
  REQUIRE(account.amount() >= 0);
}

RADDLE_TEST_CASE("careful", "[account]") {
  Account account(100);
  std::thread rent([&] { CHECK((account.withdraw(80) || account.amount() == 40)); });
  account.withdraw(60);
  rent.join();
  REQUIRE(account.amount() >= 0);
}

RADDLE_TEST_CASE("seen by another thread", "[account]") {
  Account account(100);
  std::thread rent([&] {
    INFO("after the rent");
    account.withdraw_carelessly(80);
    REQUIRE(account.amount() >= 0);
  });
  account.withdraw_carelessly(60);
  rent.join();
}

RADDLE_TEST_CASE("no sections") {
  SECTION("here") {}
}

struct Bank {
  Account account{100};
};

RADDLE_TEST_CASE_METHOD(Bank, "fresh fixture", "[account]", RADDLE_OPTIONS(.schedules = 200)) {
  std::thread rent([&] { account.withdraw(80); });
  rent.join();
  REQUIRE(account.amount() == 20);
}
