// SPDX-License-Identifier: Apache-2.0
//
// Handlers for forks: they run in forks of the program, and in none of raddle's.
#include "fresh.h"

namespace {

void look() {}
int prepared, parent;
void leave(int) {
  pthread_atfork([] { puts("prepare"); }, [] { puts("parent"); }, [] { puts("child"); });
  pthread_atfork([] { ++prepared; }, [] { ++parent; }, nullptr);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
