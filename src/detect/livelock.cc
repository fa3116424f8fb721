// SPDX-License-Identifier: Apache-2.0
//
// The detector of livelocks: what analysis/livelock.h makes of runs that were cut at their step
// limit. Engine side.
#include "analysis/livelock.h"

#include "detect/detector.h"
#include "report/livelock_words.h"

namespace raddle::detect {
namespace {

std::unique_ptr<analysis::Analysis> make(const Settings&) {
  return std::make_unique<analysis::Livelock>();
}

// A run ends in one way.
std::uint64_t same(const Evidence&) { return 0; }

}  // namespace

extern const Detector kLivelock;
constinit const Detector kLivelock = {
    .name = "livelock",
    .description = "a run cut by the step limit that repeats the same ops with the same values",
    .kind = facts::FindingKind::livelock,
    .make = make,
    .key = same,
    .words = report::describe_livelock,
    .told = Told::as_the_end,
};

}  // namespace raddle::detect
