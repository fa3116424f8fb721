// SPDX-License-Identifier: Apache-2.0
//
// Conflicts between the accesses of a run. Engine side.
#include "analysis/conflicts.h"

#include <algorithm>

#include "analysis/touched.h"
#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpClass;
using wire::OpKind;

// Places at a granule that are told apart: an array that is worked on by generated code may have
// more.
constexpr std::size_t kVisitsMax = 64;

constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return mix64(seed + 0x9e3779b97f4a7c15ull + value);
}

bool writes(const Event& event) {
  if (event.kind == OpKind::atomic_cas && (event.flags & wire::kEventFailed) != 0) return false;
  return wire::writes_memory(event.kind);
}

}  // namespace

void Conflicts::begin() {
  seen_.clear();
  times_.clear();
  accesses_.clear();
  granule_of_.clear();
  granules_.clear();
  last_on_.clear();
  orders_.clear();
  edges_.clear();
}

void Conflicts::on_event(const Event& event, SiteId place) {
  bool memory = wire::is_memory_access(event.kind);
  std::uint64_t who = combine(event.thread, (std::uint64_t{place} << 8) | std::uint8_t(event.kind));
  std::uint32_t nth = memory ? ++accesses_[event.thread] : accesses_[event.thread];
  auto index = static_cast<std::uint32_t>(seen_.size());
  seen_.push_back({combine(who, ++times_[who]), event.where.key(), place, nth, event.thread});
  if (!memory) return touch_object(event);
  for_each_touched(event, [&](std::uint64_t key, std::uint8_t mask) {
    std::uint32_t& number = granule_of_[key];
    if (number == 0) {
      if (granules_.size() == kGranulesMax) return;
      granules_.emplace_back();
      number = static_cast<std::uint32_t>(granules_.size());
    }
    Access self{index, mask, writes(event)};
    visit(granules_[number - 1], self);
    touch(granules_[number - 1], self);
  });
}

void Conflicts::touch_object(const Event& event) {
  OpClass cls = wire::op_class(event.kind);
  if (cls != OpClass::sync && cls != OpClass::shared) return;
  auto index = static_cast<std::uint32_t>(seen_.size() - 1);
  std::uint32_t& last = last_on_[event.where.key()];
  if (last != 0) add_edge(last - 1, index, false);
  last = index + 1;
}

void Conflicts::touch(Granule& granule, const Access& self) {
  for (const Access& before : granule.recent)
    if ((before.mask & self.mask) != 0 && (before.write || self.write))
      add_edge(before.index, self.index, true);
  std::erase_if(granule.recent, [&](const Access& before) {
    bool same_thread = seen_[before.index].thread == seen_[self.index].thread;
    bool covered = (before.mask & ~self.mask) == 0;
    return covered && (self.write || (same_thread && !before.write));
  });
  granule.recent.push_back(self);
}

void Conflicts::visit(Granule& granule, const Access& self) {
  const Seen& me = seen_[self.index];
  Visit* known = nullptr;
  for (Visit& other : granule.visits) {
    bool elsewhere = other.several || other.thread != me.thread;
    if (elsewhere && (other.mask & self.mask) != 0 && (other.write || self.write))
      orders_.insert({other.place, me.place});
    if (other.place == me.place && other.write == self.write) known = &other;
  }
  if (known != nullptr) {
    known->several = known->several || known->thread != me.thread;
    known->mask |= self.mask;
  } else if (granule.visits.size() < kVisitsMax) {
    granule.visits.push_back({me.place, me.thread, false, self.write, self.mask});
  }
}

void Conflicts::add_edge(std::uint32_t from, std::uint32_t to, bool memory) {
  if (seen_[from].thread == seen_[to].thread || edges_.size() == kConflictEdgesMax) return;
  // An access of several granules may meet the same one at each.
  if (!edges_.empty() && edges_.back().from == from && edges_.back().to == to) return;
  edges_.push_back({from, to, memory});
}

std::map<WindowKey, WindowEvents> Conflicts::windows() const {
  auto near = [this](std::uint32_t a, std::uint32_t b) {
    std::uint32_t x = seen_[a].nth_access, y = seen_[b].nth_access;
    return a != b && (x > y ? x - y : y - x) <= kWindow;
  };
  // By the thread that an edge leads to: sorted by its accesses, as edges come in their order.
  std::map<ThreadId, std::vector<const ConflictEdge*>> into;
  for (const ConflictEdge& edge : edges_)
    if (edge.memory) into[seen_[edge.to].thread].push_back(&edge);
  std::map<WindowKey, WindowEvents> found;
  for (const ConflictEdge& out : edges_) {
    if (!out.memory) continue;
    const std::vector<const ConflictEdge*>& back = into[seen_[out.from].thread];
    std::uint32_t mine = seen_[out.from].nth_access;
    auto first = std::ranges::partition_point(back, [&](const ConflictEdge* edge) {
      return seen_[edge->to].nth_access + kWindow < mine;
    });
    for (auto it = first; it != back.end(); ++it) {
      const ConflictEdge& in = **it;
      if (seen_[in.to].nth_access > mine + kWindow || found.size() >= kWindowsMax) break;
      bool two = seen_[in.from].thread == seen_[out.to].thread &&
                 seen_[in.to].where != seen_[out.from].where;
      if (!two || !near(out.from, in.to) || !near(out.to, in.from)) continue;
      found.try_emplace(
          {seen_[out.from].place, seen_[out.to].place, seen_[in.from].place, seen_[in.to].place},
          WindowEvents{out.from, out.to, in.from, in.to});
    }
  }
  return found;
}

}  // namespace raddle::analysis
