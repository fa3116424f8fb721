// SPDX-License-Identifier: Apache-2.0
//
// A bank account: the new balance is computed from one that another deposit has changed meanwhile.
// EXPECT: "case 6" `balance`
#include <atomic>
#include <cassert>

#include "detectors/threads.h"

static std::atomic<int> balance{100};

static void deposit() {
  int before = balance.load();
  balance.store(before + 10);
}

int main() {
  run_together(deposit, deposit);
  assert(balance.load() == 120);
}
