// SPDX-License-Identifier: Apache-2.0
// Readers hold the lock for reading, the writer for writing.
#include "detectors/threads.h"

pthread_rwlock_t guard = PTHREAD_RWLOCK_INITIALIZER;
int level, seen[2];

void set() {
  for (int i = 0; i < 2; ++i) {
    pthread_rwlock_wrlock(&guard);
    ++level;
    pthread_rwlock_unlock(&guard);
  }
}

void look(int who) {
  pthread_rwlock_rdlock(&guard);
  seen[who] = level;
  pthread_rwlock_unlock(&guard);
}

void look_first() { look(0); }
void look_second() { look(1); }

int main() { run_together(set, look_first, look_second); }
