// SPDX-License-Identifier: Apache-2.0
//
// Steering: what a plan says about single choices, as the engine has it. Engine side; one
// alternative for each kind of wire/steering.h, whose rows it holds. launch/steering_area.h hands
// it over.
#pragma once

#include <iterator>
#include <variant>
#include <vector>

#include "wire/steering.h"

namespace raddle::facts {

struct Unsteered {
  static constexpr wire::SteeringKind kKind = wire::SteeringKind::none;
  friend bool operator==(const Unsteered&, const Unsteered&) = default;
};

template <wire::SteeringKind kOfKind>
struct Rows {
  static constexpr wire::SteeringKind kKind = kOfKind;
  std::vector<wire::SteeringRow<kOfKind>> rows;
  friend bool operator==(const Rows&, const Rows&) = default;
};

using Recorded = Rows<wire::SteeringKind::recorded>;
using Choices = Rows<wire::SteeringKind::choices>;
using Ranks = Rows<wire::SteeringKind::ranks>;
using Deviations = Rows<wire::SteeringKind::deviations>;
using LockCycle = Rows<wire::SteeringKind::lock_cycle>;

using Steering = std::variant<Unsteered, Recorded, Choices, Ranks, Deviations, LockCycle>;
static_assert(std::variant_size_v<Steering> == std::size(wire::kSteeringKinds));

inline wire::SteeringKind kind_of(const Steering& steering) {
  return std::visit([]<class Kind>(const Kind&) { return Kind::kKind; }, steering);
}

// Whether the run is to repeat a recorded one exactly.
inline bool is_recorded(const Steering& steering) {
  return std::holds_alternative<Recorded>(steering);
}

// The rows, if they are of that kind; else none.
template <class Kind>
std::span<const wire::SteeringRow<Kind::kKind>> rows_of(const Steering& steering) {
  const auto* of_kind = std::get_if<Kind>(&steering);
  if (of_kind == nullptr) return {};
  return of_kind->rows;
}

// How the target reads it, as long as it stays where it is.
inline wire::SteeringView view_of(const Steering& steering) {
  return std::visit(
      []<class Kind>(const Kind& is) -> wire::SteeringView {
        if constexpr (Kind::kKind == wire::SteeringKind::none)
          return {};
        else
          return wire::SteeringView::of<Kind::kKind>(is.rows);
      },
      steering);
}

}  // namespace raddle::facts
