// SPDX-License-Identifier: Apache-2.0
//
// Leftovers: what the runs of a test leave behind in the process, and what therefore makes later
// runs differ from earlier ones. Engine side, in the program's process. Threads and locked locks
// are findings of the runtime (runtime/leftovers.h); here it is what a run may leave and still be a
// good one: global variables with another value, objects that were not destroyed.
//
// The first run may initialise what later ones find initialised. So variables are compared with
// what they were after it, and of the objects those are told of that two runs have left, from one
// place.
#pragma once

#include <map>
#include <optional>

#include "check/globals.h"
#include "wire/batch.h"

namespace raddle::check {

class Leftovers {
 public:
  // After a run in place that ended well, the one that the runtime made last.
  void look(std::span<const wire::Module> modules);
  bool began() const { return state_.has_value(); }

  // The variables alone, after any run: those of one that was cut short may be halfway.
  void look_at_globals();

  // Sentences: "global `g_cache` (cache.cpp:12) differs between runs".
  const std::vector<std::string>& globals() const { return globals_; }
  std::vector<wire::Undestroyed> undestroyed() const;

 private:
  void look_at_objects();

  std::optional<GlobalsSnapshot> state_;
  bool blind_ = false;  // it could not be taken; globals_ says why
  std::vector<std::string> globals_;
  std::map<std::pair<SiteId, wire::Undestroyed::Kind>, unsigned> objects_;  // with number of runs
};

// "lock initialised at cache.cpp:12 is never destroyed"
std::string undestroyed_text(wire::Undestroyed::Kind kind, const std::string& place);

}  // namespace raddle::check
