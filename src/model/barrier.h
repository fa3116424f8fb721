// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a cyclic barrier: arrival never waits, leaving waits for the round to be complete.
// Both sides; pure.
#pragma once

#include "base/ids.h"

namespace raddle::model {

struct Barrier {
  std::uint32_t needed = 1;   // invariant: at least 1
  std::uint32_t arrived = 0;  // invariant: below needed
  std::uint32_t round = 0;

  struct Ticket {
    std::uint32_t round;
    bool last;  // this arrival completed the round
  };

  Ticket arrive() {
    Ticket ticket{round, false};
    if (++arrived == needed) {
      arrived = 0;
      ++round;
      ticket.last = true;
    }
    return ticket;
  }
  bool grants_leave(std::uint32_t arrival_round) const { return round != arrival_round; }
};

}  // namespace raddle::model
