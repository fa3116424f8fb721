// SPDX-License-Identifier: Apache-2.0
//
// RecordedRun: the events of a run that was recorded with call stacks, each with its place in the
// user's code; followed by what the run did not come to do. Engine side.
//
// The last access of a run that ended at a heap error, and the locks that threads of a deadlock
// wait for, are no events: they were not carried out. For whoever compares orders they are the most
// interesting operations of all, so they are added at the end.
#pragma once

#include <unordered_map>
#include <vector>

#include "facts/run.h"
#include "report/names.h"

namespace raddle::outcome {

// Which sites lie in the user's code; kept from run to run.
class UserSites {
 public:
  explicit UserSites(report::Names& names) : names_(names) {}
  bool contains(SiteId site);
  // The first of the event's own site and its callers that lies in the user's code; else the site.
  SiteId place(SiteId own, std::span<const SiteId> callers, SiteId caller);

 private:
  report::Names& names_;
  std::unordered_map<SiteId, bool> known_;
};

struct RecordedRun {
  RecordedRun(const facts::Run& run, UserSites& sites);

  std::vector<wire::Event> events;
  std::vector<SiteId> places;  // of the events
  std::size_t recorded = 0;    // so many were carried out; the rest were about to be

  // For every thread of a deadlock's cycle, in its order: the index of the event at which the lock
  // was acquired that another one waits for, and of the one that it waits in itself. kNone: it
  // waits for no lock.
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::pair<std::size_t, std::size_t>> cycle;

 private:
  void add(const wire::Event& event, SiteId place);
  void add_heap_error(const facts::Run& run, UserSites& sites);
  void add_cycle(const facts::Run& run, UserSites& sites);
};

}  // namespace raddle::outcome
