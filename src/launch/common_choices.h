// SPDX-License-Identifier: Apache-2.0
//
// Which runs begin in the same way, judged by their plans alone. Engine side; pure. Checkpoints
// rest on it (checkpoints.h): what is said here to be the same is not carried out again.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "facts/run.h"

namespace raddle::launch {

inline constexpr std::uint32_t kAllChoices = std::numeric_limits<std::uint32_t>::max();

// Whether who is steered so does what the steering says and nothing else, so that plans that say
// something else agree with it for a while (wire::SteeringOf).
bool is_resumable(const facts::Steering& steering);

// Whether runs of both plans are the same up to the creation of their first thread. Before it there
// are no choices, so policies do not matter; sites do only for systematic searches, which see plain
// accesses as points from the beginning.
bool same_before_threads(const facts::Plan& a, const facts::Plan& b);

// How many choices the runs of both plans surely have in common, from the first on: each is between
// the same candidates after the same events, and is made in the same way. kAllChoices if the plans
// are the same but for what their policy does not look at. Nothing if they may differ before the
// first choice, as all do that are not steered by something resumable.
std::optional<std::uint32_t> common_choices(const facts::Plan& a, const facts::Plan& b);

// Checkpoints along one run, by the real time at which the run passed them, earliest first, and the
// time at which it ended: the one to throw away. Searches come back to late choices more often than
// to early ones, so the gaps that remain should grow with the distance from the end. The first is
// kept. Requires: at least two.
std::size_t least_useful(std::span<const std::uint64_t> times, std::uint64_t end);

}  // namespace raddle::launch
