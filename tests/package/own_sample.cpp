// SPDX-License-Identifier: Apache-2.0
//
// raddle without a framework: the interface in C, from a program of one's own.
#include <raddle/abi.h>

#include <cstdio>
#include <thread>

#include "account.h"

static void body(void*) {
  Account account(100);
  std::thread rent([&] { account.withdraw(80); });
  account.withdraw(60);
  rent.join();
  if (account.amount() < 0) raddle_fail(__FILE__, __LINE__, "overdrawn");
}

int main() {
  raddle_check_request request = {};
  request.version = RADDLE_CHECK_VERSION;
  request.body = body;
  request.name = "own";
  request.schedules = 100;
  const raddle_check_result* result = raddle_check(&request);
  if (result->error != nullptr) std::printf("%s\n", result->error);
  const bool good = result->error == nullptr && result->finding_count == 0 && result->schedules > 0;
  raddle_check_free(result);
  return good ? 0 : 1;
}
