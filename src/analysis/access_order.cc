// SPDX-License-Identifier: Apache-2.0
//
// See access_order.h. Engine side. What orders and what is held changes seldom: accesses share it.
#include "analysis/access_order.h"

#include <algorithm>

namespace raddle::analysis {

using wire::Event;
using wire::OpKind;

AccessOrder::AccessOrder(std::span<const Access> accesses, std::span<const Event> events)
    : accesses_(accesses) {
  std::size_t next = 0;
  for (std::uint32_t index = 0; index < events.size(); ++index) {
    take(events[index], index);
    for (; next < accesses.size() && accesses[next].event == index; ++next) {
      Thread& self = thread(accesses[next].thread);
      if (self.context == kNone) {
        self.context = static_cast<std::uint32_t>(contexts_.size());
        contexts_.push_back({self.clock, self.held});
      }
      context_of_.push_back(self.context);
    }
  }
}

bool AccessOrder::before(std::uint32_t first, std::uint32_t then) const {
  const Access& a = accesses_[first];
  const Access& b = accesses_[then];
  if (a.thread == b.thread) return first < then;
  const Clock& clock = contexts_[context_of_[then]].clock;
  return a.thread < clock.size() && a.event < clock[a.thread];
}

bool AccessOrder::kept_out(std::uint32_t first, std::uint32_t remote, std::uint32_t then) const {
  if (before(remote, first) || before(then, remote)) return true;
  const std::vector<Held>& others = contexts_[context_of_[remote]].held;
  if (others.empty()) return false;
  const std::vector<Held>& end = contexts_[context_of_[then]].held;
  return std::ranges::any_of(contexts_[context_of_[first]].held, [&](const Held& held) {
    bool same_section = std::ranges::any_of(end, [&](const Held& other) {
      return other.lock == held.lock && other.section == held.section;
    });
    return same_section && std::ranges::any_of(others, [&](const Held& other) {
             return other.lock == held.lock && !(other.read && held.read);
           });
  });
}

AccessOrder::Thread& AccessOrder::thread(ThreadId id) {
  if (id >= threads_.size()) threads_.resize(std::size_t{id} + 1);
  return threads_[id];
}

void AccessOrder::merge(Clock& into, const Clock& from) {
  if (into.size() < from.size()) into.resize(from.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

void AccessOrder::know(Clock& clock, ThreadId thread, std::uint32_t events) {
  if (clock.size() <= thread) clock.resize(std::size_t{thread} + 1, 0);
  clock[thread] = std::max(clock[thread], events);
}

void AccessOrder::order_threads(const Event& event, std::uint32_t index) {
  ThreadId other = wire::other_of(event);
  if (other == event.thread || other >= kMaxThreads) return;
  bool creates = event.kind == OpKind::thread_create;
  ThreadId from = creates ? event.thread : other;
  ThreadId to = creates ? other : event.thread;
  thread(std::max(from, to));
  merge(threads_[to].clock, threads_[from].clock);
  know(threads_[to].clock, from, index);
  threads_[to].context = kNone;
}

void AccessOrder::acquire(const Event& event, std::uint32_t index) {
  Thread& self = thread(event.thread);
  std::uint64_t lock = event.where.key();
  auto held = std::ranges::find(self.held, lock, &Held::lock);
  if (held != self.held.end()) {
    ++held->depth;
    return;
  }
  bool read = event.kind == OpKind::rwlock_read || event.kind == OpKind::rwlock_try_read ||
              event.kind == OpKind::rwlock_timed_read;
  self.held.push_back({lock, index, read, 1});
  self.context = kNone;
}

void AccessOrder::release(const Event& event) {
  Thread& self = thread(event.thread);
  auto held = std::ranges::find(self.held, event.where.key(), &Held::lock);
  if (held == self.held.end() || --held->depth > 0) return;
  self.held.erase(held);
  self.context = kNone;
}

void AccessOrder::take(const Event& event, std::uint32_t index) {
  bool failed = (event.flags & wire::kEventFailed) != 0;
  if (wire::takes_lock(event.kind)) {
    if (!failed) acquire(event, index);
    return;
  }
  switch (event.kind) {
    case OpKind::thread_create:
    case OpKind::thread_join:
      if (!failed) order_threads(event, index);
      break;
    case OpKind::thread_exit:
      thread(event.thread).held.clear();
      break;
    case OpKind::mutex_unlock:
    case OpKind::rwlock_unlock:
      if (!failed) release(event);
      break;
    case OpKind::cond_wake:
      // Its mutex was free meanwhile. Which of those held that is, the event does not say.
      for (Held& held : thread(event.thread).held) held.section = index;
      thread(event.thread).context = kNone;
      break;
    case OpKind::barrier_arrive:
    case OpKind::barrier_leave: {
      std::uint32_t& at = barrier_at_[event.where.key()];
      if (at == 0) {
        barriers_.emplace_back();
        at = static_cast<std::uint32_t>(barriers_.size());
      }
      Clock& barrier = barriers_[at - 1];
      Thread& self = thread(event.thread);
      if (event.kind == OpKind::barrier_arrive) {
        merge(barrier, self.clock);
        know(barrier, event.thread, index);
      }
      // Whoever arrives last does not leave in a step of its own.
      merge(self.clock, barrier);
      self.context = kNone;
      break;
    }
    default:
      break;
  }
}

}  // namespace raddle::analysis
