// SPDX-License-Identifier: Apache-2.0
//
// A 64-bit fingerprint of an event stream: order-sensitive, over all fields of every event. Two
// runs of one plan must agree in it. Engine side. Its values are written into schedule files, so
// the function may not change without a new schedule format.
#pragma once

#include <cstdint>
#include <span>

#include "wire/event.h"

namespace raddle::facts {

class EventHasher {
 public:
  void add(const wire::Event& event);
  // Never 0, which means "unknown" in a schedule.
  std::uint64_t value() const;

 private:
  std::uint64_t state_ = 0x7261646c'65766e74;
  std::uint64_t count_ = 0;
};

std::uint64_t event_hash(std::span<const wire::Event> events);

}  // namespace raddle::facts
