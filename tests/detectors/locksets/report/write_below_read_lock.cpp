// SPDX-License-Identifier: Apache-2.0
// Two threads write below a lock that they hold for reading.
// EXPECT: "`visits`" "holding `guard` \(for reading\)"
#include "detectors/threads.h"

pthread_rwlock_t guard = PTHREAD_RWLOCK_INITIALIZER;
int visits;

void visit() {
  pthread_rwlock_rdlock(&guard);
  ++visits;
  pthread_rwlock_unlock(&guard);
}

int main() { run_together(visit, visit); }
