// SPDX-License-Identifier: Apache-2.0
//
// See sync_clocks.h. Engine side.
#include "analysis/sync_clocks.h"

#include <algorithm>

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

constexpr std::size_t kSweepAtLeast = 4096;

bool releases(const Event& event) {
  return event.order == __ATOMIC_RELEASE || event.order == __ATOMIC_ACQ_REL ||
         event.order == __ATOMIC_SEQ_CST;
}
bool acquires(const Event& event) {
  return event.order == __ATOMIC_ACQUIRE || event.order == __ATOMIC_CONSUME ||
         event.order == __ATOMIC_SEQ_CST;
}

}  // namespace

void SyncClocks::begin() {
  threads_.clear();
  objects_.clear();
  object_index_.clear();
  snapshots_.clear();
  free_.clear();
  in_use_ = 0;
  sweep_at_ = kSweepAtLeast;
}

SyncClocks::Thread& SyncClocks::thread(ThreadId id) {
  if (id >= threads_.size()) threads_.resize(std::size_t{id} + 1);
  Thread& thread = threads_[id];
  if (thread.clock.size() <= id) thread.clock.resize(std::size_t{id} + 1, 0);
  if (thread.clock[id] == 0) thread.clock[id] = 1;
  return thread;
}

std::uint32_t SyncClocks::now(ThreadId id) { return id < kClockThreads ? thread(id).clock[id] : 0; }

SyncClocks::Snapshot SyncClocks::snapshot(ThreadId id) {
  if (id >= kClockThreads) return kNone;
  Thread& self = thread(id);
  if (self.snapshot != kNone) return self.snapshot;
  if (free_.empty()) {
    free_.push_back(static_cast<Snapshot>(snapshots_.size()));
    snapshots_.emplace_back();
  }
  self.snapshot = free_.back();
  free_.pop_back();
  snapshots_[self.snapshot] = {self.clock, false, true};
  ++in_use_;
  return self.snapshot;
}

void SyncClocks::sweep() {
  for (Thread& thread : threads_) mark(thread.snapshot);
  for (Snapshot i = 0; i < snapshots_.size(); ++i) {
    Kept& kept = snapshots_[i];
    if (kept.used && !kept.marked) {
      kept.used = false;
      free_.push_back(i);
      --in_use_;
    }
    kept.marked = false;
  }
  sweep_at_ = std::max(kSweepAtLeast, 2 * in_use_);
}

void SyncClocks::join(Clock& to, const Clock& from) {
  if (to.size() < from.size()) to.resize(from.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

// Whoever takes from `to` comes after what `from` has done so far.
void SyncClocks::give(Clock& to, ThreadId from) {
  Thread& giver = thread(from);
  join(to, giver.clock);
  ++giver.clock[from];
  giver.snapshot = kNone;
}

void SyncClocks::take(ThreadId to, const Clock& from) {
  Thread& taker = thread(to);
  // What is known already changes nothing: accesses before and after it are alike.
  bool news = from.size() > taker.clock.size();
  for (std::size_t i = 0; !news && i < from.size(); ++i) news = from[i] > taker.clock[i];
  if (!news) return;
  join(taker.clock, from);
  taker.snapshot = kNone;
}

void SyncClocks::give(wire::Location to, ThreadId from) {
  std::uint32_t& index = object_index_[to.key()];
  if (index == 0) {
    if (objects_.size() == kClockObjects) return;
    objects_.emplace_back();
    index = static_cast<std::uint32_t>(objects_.size());
  }
  give(objects_[index - 1], from);
}

void SyncClocks::take(ThreadId to, wire::Location from) {
  const std::uint32_t* index = object_index_.find(from.key());
  if (index != nullptr && *index != 0) take(to, objects_[*index - 1]);
}

void SyncClocks::order_threads(const Event& event) {
  ThreadId other = wire::other_of(event);
  if (other >= kClockThreads || other == event.thread) return;
  thread(std::max(event.thread, other));
  thread(std::min(event.thread, other));
  if (event.kind == OpKind::thread_create) {
    give(threads_[other].clock, event.thread);
    threads_[other].snapshot = kNone;
  } else {
    take(event.thread, threads_[other].clock);
  }
}

void SyncClocks::on_event(const Event& event) {
  if (event.thread >= kClockThreads || (event.flags & wire::kEventFailed) != 0) return;
  switch (event.kind) {
    case OpKind::thread_create:
    case OpKind::thread_join:
      order_threads(event);
      break;
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

}  // namespace raddle::analysis
