// SPDX-License-Identifier: Apache-2.0
//
// googletest under raddle: tests that pass, fail and are skipped, in this order of names, so that
// tests/package_test.py sees that a failure stops nobody.
#include <gtest/gtest.h>
#include <raddle/gtest.h>

#include <thread>

#include "account.h"

TEST(Account, IsAlsoTestedPlainly) {
  Account account(100);
  EXPECT_TRUE(account.withdraw(80));
}

RADDLE_TEST(Account, CarelessnessOverdraws) {
  Account account(100);
  std::thread rent([&] { account.withdraw_carelessly(80); });
  account.withdraw_carelessly(60);
  rent.join();
  EXPECT_GE(account.amount(), 0) << "overdrawn";
}

RADDLE_TEST(Account, CareDoesNot) {
  Account account(100);
  std::thread rent([&] { account.withdraw(80); });
  account.withdraw(60);
  rent.join();
  EXPECT_GE(account.amount(), 0);
}

RADDLE_TEST(Account, FailuresOfOtherThreadsCount) {
  Account account(100);
  std::thread rent([&] {
    account.withdraw_carelessly(80);
    ASSERT_GE(account.amount(), 0) << "seen by the thread";
  });
  account.withdraw_carelessly(60);
  rent.join();
}

RADDLE_TEST(Account, AbortIsContained) {
  Account account(100);
  std::thread rent([&] { account.withdraw_carelessly(80); });
  account.withdraw_carelessly(60);
  rent.join();
  if (account.amount() < 0) std::abort();
}

RADDLE_TEST(Account, SkippedInEveryRun) { GTEST_SKIP() << "not today"; }

RADDLE_TEST(Account, HasOptions, RADDLE_OPTIONS(.strategy = "random", .schedules = 50)) {
  Account account(100);
  std::thread rent([&] { account.withdraw(80); });
  account.withdraw(60);
  rent.join();
}

RADDLE_TEST(Account, ExploresAll, RADDLE_OPTIONS(.strategy = "dfs")) {
  Account account(100);
  std::thread rent([&] { account.withdraw(80); });
  account.withdraw(60);
  rent.join();
}

RADDLE_TEST(Account, Throws) { throw std::runtime_error("thrown by the body"); }

class Bank : public testing::Test {
 public:
  static void SetUpTestSuite() { ++suites; }

 protected:
  static int suites;
  Account account{100};

 private:
  void SetUp() override { ASSERT_TRUE(account.withdraw(10)); }
  void TearDown() override { EXPECT_GE(account.amount(), 0) << "seen by TearDown"; }
};
int Bank::suites;

RADDLE_TEST_F(Bank, FixtureIsFreshInEveryRun) {
  std::thread rent([&] { account.withdraw(50); });
  account.withdraw(20);
  rent.join();
  EXPECT_EQ(account.amount(), 20);
  EXPECT_EQ(suites, 1);
}

RADDLE_TEST_F(Bank, TearDownLooksToo) {
  std::thread rent([&] { account.withdraw_carelessly(50); });
  account.withdraw_carelessly(60);
  rent.join();
}

TEST_F(Bank, SharesTheSuite) { EXPECT_EQ(suites, 1); }
