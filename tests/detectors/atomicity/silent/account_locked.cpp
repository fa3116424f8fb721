// SPDX-License-Identifier: Apache-2.0
//
// A bank account with one lock over reading and writing the balance.
// LEARNS
#include <cassert>

#include "detectors/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void deposit() {
  Guard guard(lock);
  int before = balance;
  balance = before + 10;
}

int main() {
  run_together(deposit, deposit);
  assert(balance == 120);
}
