// SPDX-License-Identifier: Apache-2.0
//
// The detectors of livelocks: what analysis/livelock.h makes of runs that were cut at their step
// limit. Engine side. What the second one tells of, the first one has seen: it becomes the other
// where further runs show that threads get free of each other (campaign/endless.h).
#include "analysis/livelock.h"

#include "detect/detector.h"
#include "report/livelock_words.h"

namespace raddle::detect {
namespace {

std::unique_ptr<analysis::Analysis> make(const Settings&) {
  return std::make_unique<analysis::Livelock>();
}

std::unique_ptr<analysis::Analysis> make_none(const Settings&) { return nullptr; }

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

extern const Detector kLockstep;
constinit const Detector kLockstep = {
    .name = "lockstep-livelock",
    .description = "the same where threads that fall out of step go on: slow, but not stuck",
    .kind = facts::FindingKind::lockstep_livelock,
    .make = make_none,
    .key = same,
    .words = report::describe_livelock,
    .told = Told::as_the_end,
};

}  // namespace raddle::detect
