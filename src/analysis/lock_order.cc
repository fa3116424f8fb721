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

bool releases(const Event& event) {
  return event.order == __ATOMIC_RELEASE || event.order == __ATOMIC_ACQ_REL ||
         event.order == __ATOMIC_SEQ_CST;
}
bool acquires(const Event& event) {
  return event.order == __ATOMIC_ACQUIRE || event.order == __ATOMIC_CONSUME ||
         event.order == __ATOMIC_SEQ_CST;
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
  clocks_.clear();
  clock_index_.clear();
  snapshots_.clear();
  held_sets_.clear();
  edges_.clear();
  seen_.clear();
  reported_.clear();
  work_ = 0;
}

LockOrder::Thread& LockOrder::thread(ThreadId id) {
  if (id >= threads_.size()) threads_.resize(std::size_t{id} + 1);
  Thread& thread = threads_[id];
  // Its own time begins at 1: 0 is what others know of it before they hear of it.
  if (thread.clock.size() <= id) thread.clock.resize(std::size_t{id} + 1, 0);
  if (thread.clock[id] == 0) thread.clock[id] = 1;
  return thread;
}

// Whoever takes from `to` comes after what `from` has done so far.
void LockOrder::give(Clock& to, ThreadId from) {
  Thread& giver = thread(from);
  if (to.size() < giver.clock.size()) to.resize(giver.clock.size(), 0);
  for (std::size_t i = 0; i < giver.clock.size(); ++i) to[i] = std::max(to[i], giver.clock[i]);
  ++giver.clock[from];
  giver.snapshot = kNoSnapshot;
}

void LockOrder::take(ThreadId to, const Clock& from) {
  Thread& taker = thread(to);
  if (taker.clock.size() < from.size()) taker.clock.resize(from.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) taker.clock[i] = std::max(taker.clock[i], from[i]);
  taker.snapshot = kNoSnapshot;
}

void LockOrder::give(wire::Location to, ThreadId from) {
  std::uint32_t& index = clock_index_[to.key()];
  if (index == 0) {
    if (clocks_.size() == kClocksMax) return;
    clocks_.emplace_back();
    index = static_cast<std::uint32_t>(clocks_.size());
  }
  give(clocks_[index - 1], from);
}

void LockOrder::take(ThreadId to, wire::Location from) {
  if (std::uint32_t index = clock_index_[from.key()]; index != 0) take(to, clocks_[index - 1]);
}

void LockOrder::on_event(const Event& event) {
  if (event.thread >= kThreadsMax) return;
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
    case OpKind::thread_create:
    case OpKind::thread_join:
    case OpKind::thread_exit:
      order_threads(event);
      break;
    default:
      if (!failed) order(event);
  }
}

void LockOrder::order_threads(const Event& event) {
  ThreadId other = wire::other_of(event);
  if (event.kind == OpKind::thread_exit) {
    // What it still holds, if robust, is free for others; if not, nobody gets it any more.
    thread(event.thread).held.clear();
  } else if (other >= kThreadsMax || other == event.thread) {
    return;
  } else if (event.kind == OpKind::thread_create) {
    thread(other);
    thread(event.thread);
    give(threads_[other].clock, event.thread);
    threads_[other].snapshot = kNoSnapshot;
  } else {
    thread(other);
    thread(event.thread);
    take(event.thread, threads_[other].clock);
  }
}

// Synchronisation that has to be as it was, or nearly always has.
void LockOrder::order(const Event& event) {
  switch (event.kind) {
    case OpKind::cond_signal:
    case OpKind::cond_broadcast:
    case OpKind::sem_post:
    case OpKind::once_leave:
      give(event.where, event.thread);
      break;
    case OpKind::atomic_store:
    case OpKind::atomic_rmw:
    case OpKind::atomic_cas:
      if (releases(event)) give(event.where, event.thread);
      break;
    case OpKind::cond_wake:
    case OpKind::sem_wait:
    case OpKind::sem_try_wait:
    case OpKind::sem_timed_wait:
    case OpKind::barrier_leave:
    case OpKind::once_enter:
      take(event.thread, event.where);
      break;
    case OpKind::atomic_load:
      if (acquires(event)) take(event.thread, event.where);
      break;
    case OpKind::barrier_arrive:  // whoever arrives last does not leave in a step of its own
    case OpKind::team_start:
    case OpKind::team_idle:
    case OpKind::task_create:
    case OpKind::task_start:
    case OpKind::task_wait:
      take(event.thread, event.where);
      give(event.where, event.thread);
      break;
    default:
      break;
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
  bool again = seen.count > 0 && seen.snapshot == self.snapshot;
  if (again || seen.count == kVariantsMax) return;
  if (self.snapshot == kNoSnapshot) {
    self.snapshot = static_cast<std::uint32_t>(snapshots_.size());
    snapshots_.push_back(self.clock);
  }
  seen = {seen.count + 1, self.snapshot};
  auto set = static_cast<std::uint32_t>(held_sets_.size());
  held_sets_.push_back(self.held);
  for (std::uint32_t i = 0; i < self.held.size(); ++i)
    edges_.push_back({set, i, event, read, self.snapshot});
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
    const Clock& then = snapshots_[second.snapshot];
    ThreadId id = first.thread();
    return id < then.size() && then[id] >= snapshots_[first.snapshot][id];
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
  evidence.kind = facts::FindingKind::potential_deadlock;
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
