// SPDX-License-Identifier: Apache-2.0
//
// See steering_area.h.
#include "launch/steering_area.h"

#include <fmt/core.h>
#include <string.h>

#include <algorithm>

namespace raddle::launch {
namespace {

using wire::SteeringKind;

template <SteeringKind kKind>
Status write_rows(std::span<const wire::SteeringRow<kKind>> rows, SharedMemory& memory) {
  if (rows.size() > memory.schedule().size())
    return Error{
        fmt::format("the schedule has {} choices, more than --max-steps allows", rows.size()),
        kExitUsage};
  memory.header().steering = wire::steering_header<kKind>(static_cast<std::uint32_t>(rows.size()));
  if (!rows.empty()) memcpy(memory.steering().data(), rows.data(), rows.size_bytes());
  return Done{};
}

}  // namespace

Status write_steering(const facts::Steering& steering, SharedMemory& memory) {
  return std::visit(
      [&]<class Kind>(const Kind& is) -> Status {
        if constexpr (Kind::kKind == SteeringKind::none)
          return write_rows<Kind::kKind>({}, memory);
        else
          return write_rows<Kind::kKind>(is.rows, memory);
      },
      steering);
}

facts::Ranks read_ranks(const SharedMemory& memory) {
  wire::SharedHeader& header = memory.header();
  if (header.steering.kind != SteeringKind::ranks) return {};
  std::size_t count = std::min<std::size_t>(header.steering.count, memory.schedule().size());
  facts::Ranks ranks;
  ranks.rows.resize(count);
  if (count > 0) memcpy(ranks.rows.data(), memory.steering().data(), count * sizeof ranks.rows[0]);
  return ranks;
}

}  // namespace raddle::launch
