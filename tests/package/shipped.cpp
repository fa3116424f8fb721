// SPDX-License-Identifier: Apache-2.0
//
// A program that nobody asked to be instrumented.
#include "account.h"

int main() {
  Account account(100);
  return account.withdraw(80) ? 0 : 1;
}
