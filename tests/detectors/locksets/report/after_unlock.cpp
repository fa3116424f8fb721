// SPDX-License-Identifier: Apache-2.0
// The lock is given back before the last access.
// EXPECT: "`balance`" "holding no lock"
#include "detectors/threads.h"

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;

void withdraw() {
  pthread_mutex_lock(&guard);
  bool enough = balance >= 10;
  pthread_mutex_unlock(&guard);
  if (enough) balance -= 10;
}

int main() { run_together(withdraw, withdraw); }
