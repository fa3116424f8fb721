// SPDX-License-Identifier: Apache-2.0
//
// What a systematic search may say about the runs it has made: of which points, and with which
// reservations. Engine side; pure.
#pragma once

#include <string>

#include "search/learned.h"

namespace raddle::search {

struct RunCounts {
  std::uint64_t runs = 0;      // complete
  std::uint64_t blocked = 0;   // cut short by sleep sets; not among `runs`
  std::uint64_t cut = 0;       // of `runs`: by the step limit or by the time limit of a run
  std::uint64_t unfair = 0;    // in which fairness held somebody back, blocked ones included
  std::uint64_t diverged = 0;  // runs that left their paths; not among `runs`
  // Runs with more accesses that may race than the shadow has room for, blocked ones included.
  std::uint64_t forgetful = 0;
  // Runs that ended in a failure after which other threads could have gone on.
  std::uint64_t unseen = 0;
};

// "1,234".
std::string grouped(std::uint64_t number);
// "1 run", "1,234 runs".
std::string plural(std::uint64_t count, const char* noun);

// Whether the run came to its end by itself.
bool ended_by_itself(const facts::Run& run);

// "of synchronisation, atomics and the shared accesses at 3 sites". `racing`: the sites are those
// of accesses that race or meet a free, not all that touch shared data.
std::string point_words(const Learned& learned, bool racing = false);

// What has to be known about the counts, each part after a semicolon; "" if nothing.
std::string reservation_words(const RunCounts& counts, std::uint64_t restarts);

}  // namespace raddle::search
