// SPDX-License-Identifier: Apache-2.0
//
// Back-pressure of the event ring. Target side.
#include "runtime/emit.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace raddle::runtime {

void wait_for_ring(std::uint64_t head) {
  wire::SharedHeader& shared = *g.shared;
  while (head - shared.ring_tail.load(std::memory_order_acquire) >= shared.ring_capacity) {
    timespec pause{0, 200'000};
    syscall(SYS_nanosleep, &pause, nullptr);
  }
}

}  // namespace raddle::runtime
