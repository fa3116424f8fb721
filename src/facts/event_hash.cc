// SPDX-License-Identifier: Apache-2.0
//
// Each of an event's four words passes through the bijective mixing step, so exchanging two words
// or two events changes the result. Engine side.
#include "facts/event_hash.h"

#include <cstring>
#include <type_traits>

#include "base/rng.h"

namespace raddle::facts {

void EventHasher::add(const wire::Event& event) {
  static_assert(std::has_unique_object_representations_v<wire::Event>,
                "padding would make the hash depend on garbage");
  std::uint64_t words[sizeof(wire::Event) / 8];
  std::memcpy(words, &event, sizeof words);
  for (std::uint64_t word : words) state_ = mix64(state_ + 0x9e3779b97f4a7c15ull) ^ mix64(word + 1);
  ++count_;
}

std::uint64_t EventHasher::value() const {
  std::uint64_t hash = mix64(state_ ^ mix64(count_));
  return hash == 0 ? 1 : hash;
}

std::uint64_t event_hash(std::span<const wire::Event> events) {
  EventHasher hasher;
  for (const wire::Event& event : events) hasher.add(event);
  return hasher.value();
}

}  // namespace raddle::facts
