// SPDX-License-Identifier: Apache-2.0
//
// Steering: what a plan says about single choices, beside its policy and seed. Engine to target;
// pure, both sides. A tagged union: the kind says what the rows are, and every kind has a version
// of its own, so that what one side does not know is refused and never read as something else.
//
// To add a kind: its enumerator, what it is (SteeringOf) and its row in kSteeringKinds here, and
// the alternative in facts/steering.h. A kind whose rows change gets a new version.
#pragma once

#include <cstdint>
#include <span>

#include "wire/event.h"

namespace raddle::wire {

enum class SteeringKind : std::uint16_t {
  none,        // the policy decides everything
  recorded,    // the choices of a whole run; to leave them is to diverge
  choices,     // those of a beginning, as far as they fit; then the policy decides
  ranks,       // a path of a depth-first search (policy/dfs_step.h): `picked` is a rank
  deviations,  // a node of an execution tree (policy/tree.h)
  lock_cycle,  // a deadlock to lead the run into (policy/lock_cycle.h)
};

// How the rows in the block's area are to be read.
struct SteeringHeader {
  SteeringKind kind = SteeringKind::none;
  std::uint16_t version = 0;  // of the kind
  std::uint32_t count = 0;    // rows
  friend constexpr bool operator==(const SteeringHeader&, const SteeringHeader&) = default;
};
static_assert(sizeof(SteeringHeader) == 8);

// A choice that is not to be made as by default.
struct Deviation {
  // step: the number of the choice; picked; kind: OpKind::value or none; enabled: candidates.
  ChoiceRecord choice;
  std::uint64_t asleep;  // threads that are not to run, right after the choice was carried out
  friend constexpr bool operator==(const Deviation&, const Deviation&) = default;
};
static_assert(sizeof(Deviation) == 16);

// A thread of a cycle: it takes this lock and then asks for that of the next member, the last one
// for that of the first.
struct CycleMember {
  Location lock;
  ThreadId thread;
  std::uint16_t reserved = 0;
  friend constexpr bool operator==(const CycleMember&, const CycleMember&) = default;
};
static_assert(sizeof(CycleMember) == 12);
inline constexpr unsigned kCycleMax = 4;

// What a kind is. kResumable: who reads it does what the rows say and nothing else, where they say
// nothing it has one default, and it can go on with other rows (policy::Policy::resume). So two
// plans lead to the same choices up to where their rows differ (launch/common_choices.h).
template <SteeringKind>
struct SteeringOf;

template <>
struct SteeringOf<SteeringKind::none> {
  struct Row {
    std::uint64_t reserved;
  };
  static constexpr std::uint16_t kVersion = 0;
  static constexpr bool kResumable = false;
};

template <>
struct SteeringOf<SteeringKind::recorded> {
  using Row = ChoiceRecord;
  static constexpr std::uint16_t kVersion = 1;
  static constexpr bool kResumable = false;  // made from the beginning, to see whether it fits
};

template <>
struct SteeringOf<SteeringKind::choices> {
  using Row = ChoiceRecord;
  static constexpr std::uint16_t kVersion = 1;
  static constexpr bool kResumable = false;
};

template <>
struct SteeringOf<SteeringKind::ranks> {
  using Row = ChoiceRecord;
  static constexpr std::uint16_t kVersion = 1;
  static constexpr bool kResumable = true;
};

template <>
struct SteeringOf<SteeringKind::deviations> {
  using Row = Deviation;
  static constexpr std::uint16_t kVersion = 1;
  static constexpr bool kResumable = true;
};

template <>
struct SteeringOf<SteeringKind::lock_cycle> {
  using Row = CycleMember;
  static constexpr std::uint16_t kVersion = 1;
  static constexpr bool kResumable = false;
};

template <SteeringKind kKind>
using SteeringRow = typename SteeringOf<kKind>::Row;

// The same for a kind that is known only when the program runs.
struct SteeringInfo {
  SteeringKind kind;
  std::uint16_t version;
  std::uint32_t row_bytes;
  bool resumable;
};

template <SteeringKind kKind>
constexpr SteeringInfo steering_info() {
  return {kKind, SteeringOf<kKind>::kVersion, sizeof(SteeringRow<kKind>),
          SteeringOf<kKind>::kResumable};
}

inline constexpr SteeringInfo kSteeringKinds[] = {
    steering_info<SteeringKind::none>(),       steering_info<SteeringKind::recorded>(),
    steering_info<SteeringKind::choices>(),    steering_info<SteeringKind::ranks>(),
    steering_info<SteeringKind::deviations>(), steering_info<SteeringKind::lock_cycle>(),
};

// Of the widest row, so that there is room for as many rows of every kind.
inline constexpr std::uint32_t kSteeringRowMax = [] {
  std::uint32_t widest = 0;
  for (const SteeringInfo& info : kSteeringKinds)
    if (info.row_bytes > widest) widest = info.row_bytes;
  return widest;
}();

constexpr const SteeringInfo* find_steering(SteeringKind kind) {
  for (const SteeringInfo& info : kSteeringKinds)
    if (info.kind == kind) return &info;
  return nullptr;
}

// Why rows of this header, in an area of so many bytes, cannot be read; nullptr if they can.
constexpr const char* unreadable(const SteeringHeader& header, std::uint64_t area_bytes) {
  const SteeringInfo* info = find_steering(header.kind);
  if (info == nullptr) return "the plan is steered in a way that this runtime does not know";
  if (header.version != info->version)
    return "the plan is steered by another version of what this runtime knows";
  if (std::uint64_t{header.count} * info->row_bytes > area_bytes)
    return "the plan says more about its choices than there is room for";
  return nullptr;
}

template <SteeringKind kKind>
constexpr SteeringHeader steering_header(std::uint32_t count) {
  return {kKind, SteeringOf<kKind>::kVersion, count};
}

// The rows as they are read: as those of their kind, or not at all.
class SteeringView {
 public:
  constexpr SteeringView() = default;
  // Requires: !unreadable(header), and the rows stay where they are.
  constexpr SteeringView(const SteeringHeader& header, const void* rows)
      : header_(header), rows_(rows) {}

  template <SteeringKind kKind>
  static constexpr SteeringView of(std::span<const SteeringRow<kKind>> rows) {
    return {steering_header<kKind>(static_cast<std::uint32_t>(rows.size())), rows.data()};
  }

  constexpr const SteeringHeader& header() const { return header_; }

  // Empty if the rows are of another kind or version.
  template <SteeringKind kKind>
  std::span<const SteeringRow<kKind>> rows() const {
    if (header_.kind != kKind || header_.version != SteeringOf<kKind>::kVersion) return {};
    return {static_cast<const SteeringRow<kKind>*>(rows_), header_.count};
  }

 private:
  SteeringHeader header_;
  const void* rows_ = nullptr;
};

}  // namespace raddle::wire
