// SPDX-License-Identifier: Apache-2.0
// Two threads count without a lock.
// EXPECT: "`hits` at every access" "holding no lock" "has seen a race there"
#include "detectors/threads.h"

int hits;

void count() { ++hits; }

int main() { run_together(count, count); }
