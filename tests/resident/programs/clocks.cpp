// SPDX-License-Identifier: Apache-2.0
//
// Virtual time begins anew, and so do the times of the process.
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

#include "fresh.h"

namespace {

void look() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  timespec steady{};
  clock_gettime(CLOCK_MONOTONIC, &steady);
  printf("%ld.%09ld %ld.%09ld %ld ", now.tv_sec, now.tv_nsec, steady.tv_sec, steady.tv_nsec,
         static_cast<long>(time(nullptr)));
}
void leave(int order) {
  usleep(order * 1000000);
  // Never set the clock here: as root that changes the machine's own.
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
