// SPDX-License-Identifier: Apache-2.0
//
// For tests: small straight-line programs, and every interleaving of them as events. Engine side.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "analysis/coverage.h"

namespace raddle::analysis {

struct TinyOp {
  wire::OpKind kind;
  std::uint32_t where;  // variable or lock
};
using TinyThread = std::vector<TinyOp>;
using TinyProgram = std::vector<TinyThread>;  // thread i of it has the number i + 1; 0 is `main`

// Thread 0 creates the others before and joins them after everything, which it does not touch.
class Interleavings {
 public:
  explicit Interleavings(TinyProgram program) : program_(std::move(program)) {}

  void each(const std::function<void(const std::vector<wire::Event>&)>& visit) {
    at_.assign(program_.size(), 0);
    events_.clear();
    for (std::size_t i = 0; i < program_.size(); ++i)
      events_.push_back(event(0, wire::OpKind::thread_create, 0, i + 1));
    extend(visit);
  }

  static wire::Event event(std::size_t thread, wire::OpKind kind, std::uint32_t where,
                           std::uint64_t value = 0, SiteId site = 0) {
    wire::Event event{};
    event.thread = static_cast<ThreadId>(thread);
    event.kind = kind;
    event.where = wire::make_location(wire::Region::global, 0, where * 64);
    event.size = wire::is_memory_access(kind) ? 4 : 0;
    event.value = value;
    event.site = site;
    return event;
  }

 private:
  void extend(const std::function<void(const std::vector<wire::Event>&)>& visit) {
    bool ended = true;
    for (std::size_t i = 0; i < program_.size(); ++i) {
      if (at_[i] == program_[i].size()) continue;
      ended = false;
      TinyOp op = program_[i][at_[i]];
      std::size_t& holder = holders_[op.where];
      bool locks = op.kind == wire::OpKind::mutex_lock;
      if (locks && holder != 0) continue;
      std::size_t before = holder;
      if (locks) holder = i + 1;
      if (op.kind == wire::OpKind::mutex_unlock) holder = 0;
      SiteId site = static_cast<SiteId>(100 * (i + 1) + at_[i]);
      events_.push_back(event(i + 1, op.kind, op.where, 0, site));
      ++at_[i];
      extend(visit);
      --at_[i];
      events_.pop_back();
      holders_[op.where] = before;
    }
    if (!ended) return;
    visit(events_);
  }

  TinyProgram program_;
  std::vector<std::size_t> at_;
  std::map<std::uint32_t, std::size_t> holders_;
  std::vector<wire::Event> events_;
};

using HashSets = std::vector<std::set<std::uint64_t>>;  // by criterion

inline std::vector<CriterionRun> observe(CoverageObserver& observer,
                                         const std::vector<wire::Event>& events) {
  std::vector<CriterionRun> results(observer.criteria().size());
  observer.begin();
  for (const wire::Event& event : events) observer.on_event(event);
  facts::Run run;
  run.events = events;
  observer.finish(run, results);
  return results;
}

inline HashSets hashes(const std::vector<CriterionRun>& results,
                       std::vector<Property> CriterionRun::*which) {
  HashSets sets(results.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    for (const Property& property : results[i].*which) sets[i].insert(property.hash);
  return sets;
}

}  // namespace raddle::analysis
