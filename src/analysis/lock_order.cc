// SPDX-License-Identifier: Apache-2.0
//
// See lock_order.h. Engine side. The lock graph is built as events come, which for all but the
// operations on locks costs one comparison; cycles are looked for at the end of the run, in what is
// left of the graph when the locks that lie on none have been taken away.
#include "analysis/lock_order.h"

#include <algorithm>
#include <map>

#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

// Edges compared in one run: a graph so dense that this is not enough is full of cycles.
constexpr std::size_t kWorkMax = 200'000;

constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return mix64(seed + 0x9e3779b97f4a7c15ull + value);
}

// A place in the code, as far as an event knows it.
std::uint64_t place_hash(const Event& event) {
  return combine(event.where.key(), (std::uint64_t{event.site} << 32) | wire::caller_of(event));
}

}  // namespace

std::uint64_t cycle_key(const facts::Evidence& cycle) {
  // Which thread is the lowest is chance where they run the same code: the sum forgets it.
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < cycle.events.size(); i += 2)
    sum += combine(place_hash(cycle.events[i]), place_hash(cycle.events[i + 1]));
  return mix64(sum);
}

std::vector<wire::Location> cycle_locks(const facts::Evidence& cycle) {
  std::vector<wire::Location> locks;
  for (std::size_t i = 0; i < cycle.events.size(); i += 2) locks.push_back(cycle.events[i].where);
  return locks;
}

void LockOrder::begin() {
  threads_.clear();
  clocks_.begin();
  held_sets_.clear();
  edges_.clear();
  seen_.clear();
  reported_.clear();
  work_ = 0;
}

LockOrder::Thread& LockOrder::thread(ThreadId id) {
  if (id >= threads_.size()) threads_.resize(std::size_t{id} + 1);
  return threads_[id];
}

void LockOrder::on_event(const Event& event) {
  if (event.thread >= kClockThreads) return;
  bool failed = (event.flags & wire::kEventFailed) != 0;
  switch (event.kind) {
    case OpKind::mutex_lock:
    case OpKind::rwlock_write:
      if (!failed) acquire(event, false, true);
      break;
    case OpKind::rwlock_read:
      if (!failed) acquire(event, true, true);
      break;
    case OpKind::mutex_try_lock:
    case OpKind::mutex_timed_lock:
    case OpKind::rwlock_try_write:
    case OpKind::rwlock_timed_write:
      if (!failed) acquire(event, false, false);
      break;
    case OpKind::rwlock_try_read:
    case OpKind::rwlock_timed_read:
      if (!failed) acquire(event, true, false);
      break;
    case OpKind::mutex_unlock:
    case OpKind::rwlock_unlock:
      if (!failed) release(event);
      break;
    case OpKind::thread_exit:
      // What it still holds, if robust, is free for others; if not, nobody gets it any more.
      thread(event.thread).held.clear();
      break;
    default:
      clocks_.on_event(event);
  }
}

void LockOrder::acquire(const Event& event, bool read, bool waits) {
  Thread& self = thread(event.thread);
  for (Held& held : self.held)
    if (held.event.where == event.where) {
      ++held.depth;
      return;
    }
  if (waits && !self.held.empty()) add_edges(self, event, read);
  self.held.push_back({event, read, 1});
}

void LockOrder::release(const Event& event) {
  auto drop = [&](Thread& holder) {
    for (std::size_t i = 0; i < holder.held.size(); ++i) {
      if (holder.held[i].event.where != event.where) continue;
      if (--holder.held[i].depth == 0)
        holder.held.erase(holder.held.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    return false;
  };
  if (drop(thread(event.thread))) return;
  // Somebody else's: libc lets it go.
  for (Thread& holder : threads_)
    if (drop(holder)) return;
}

void LockOrder::add_edges(Thread& self, const Event& event, bool read) {
  if (edges_.size() + self.held.size() > kEdgesMax) return;
  std::uint64_t key = combine(place_hash(event), (std::uint64_t{event.thread} << 1) | read);
  for (const Held& held : self.held) key = combine(key, place_hash(held.event) + held.read);
  Seen& seen = seen_[key];
  if (seen.count == kVariantsMax) return;
  SyncClocks::Snapshot now = clocks_.snapshot(event.thread);
  if (seen.count > 0 && seen.snapshot == now) return;
  seen = {seen.count + 1, now};
  auto set = static_cast<std::uint32_t>(held_sets_.size());
  held_sets_.push_back(self.held);
  for (std::uint32_t i = 0; i < self.held.size(); ++i) edges_.push_back({set, i, event, read, now});
}

// The edges that may lie on cycles: what is left when those that lead to a lock that leads nowhere,
// or come from one that nothing leads to, are taken away again and again.
std::vector<std::size_t> LockOrder::cyclic_edges() const {
  struct Degree {
    std::size_t in = 0, out = 0;
  };
  std::map<std::uint64_t, Degree> locks;
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < edges_.size(); ++i) left.push_back(i);
  for (std::size_t before = left.size() + 1; left.size() < before && !left.empty();) {
    before = left.size();
    locks.clear();
    for (std::size_t i : left) {
      ++locks[from(edges_[i]).event.where.key()].out;
      ++locks[edges_[i].wanted.where.key()].in;
    }
    std::erase_if(left, [&](std::size_t i) {
      return locks[from(edges_[i]).event.where.key()].in == 0 ||
             locks[edges_[i].wanted.where.key()].out == 0;
    });
  }
  return left;
}

bool LockOrder::concurrent(const Edge& a, const Edge& b) const {
  auto before = [this](const Edge& first, const Edge& second) {
    ThreadId id = first.thread();
    return clocks_.known(second.snapshot, id) >= clocks_.known(first.snapshot, id);
  };
  return !before(a, b) && !before(b, a);
}

// Whether the threads of the path and of the next edge can all be where the edges are, the last one
// waiting for the next.
bool LockOrder::fits(const std::vector<std::size_t>& path, const Edge& next) const {
  const Edge& last = edges_[path.back()];
  if (last.wanted.where != from(next).event.where) return false;
  if (last.read && from(next).read) return false;
  for (std::size_t i : path) {
    const Edge& edge = edges_[i];
    if (edge.thread() == next.thread() || !concurrent(edge, next)) return false;
    for (const Held& a : held_sets_[edge.set])
      for (const Held& b : held_sets_[next.set])
        if (a.event.where == b.event.where && !(a.read && b.read)) return false;
  }
  return true;
}

void LockOrder::extend(std::vector<std::size_t>& path, const std::vector<std::size_t>& edges,
                       Findings& found) {
  const Edge& first = edges_[path.front()];
  const Edge& last = edges_[path.back()];
  bool waits = !(last.read && from(first).read);
  if (path.size() > 1 && last.wanted.where == from(first).event.where) {
    if (waits) report(path, found);
    return;
  }
  if (path.size() == kCycleMax) return;
  for (std::size_t i : edges) {
    if (found.size() >= kCyclesMax || ++work_ > kWorkMax) return;
    // Every cycle is found once: from its lowest thread.
    if (edges_[i].thread() <= first.thread() || !fits(path, edges_[i])) continue;
    path.push_back(i);
    extend(path, edges, found);
    path.pop_back();
  }
}

void LockOrder::report(const std::vector<std::size_t>& path, Findings& found) {
  Evidence evidence;
  evidence.thread = edges_[path.front()].thread();
  for (std::size_t i : path) {
    evidence.events.push_back(from(edges_[i]).event);
    evidence.events.push_back(edges_[i].wanted);
  }
  if (reported_.insert(cycle_key(evidence)).second) found.push_back(std::move(evidence));
}

void LockOrder::finish(const facts::Run& run, Findings& findings) {
  // Of a deadlock the run itself has more to say.
  if (edges_.size() < 2 || run.verdict.kind == wire::VerdictKind::deadlock) return;
  std::vector<std::size_t> edges = cyclic_edges();
  Findings found;
  for (std::size_t first : edges) {
    std::vector<std::size_t> path = {first};
    extend(path, edges, found);
  }
  for (Evidence& cycle : found) findings.push_back(std::move(cycle));
}

}  // namespace raddle::analysis
