// SPDX-License-Identifier: Apache-2.0
//
// What happens before what in every run of a program, as far as one run shows it: vector clocks of
// all synchronisation but locks. Engine side. Maple (OOPSLA 2012, section 3.3) calls this the
// non-mutex happens-before relation: the order in which threads get a lock is chance, that of
// creation, join, barriers, semaphores and condition variables nearly never is. Atomic loads that
// acquire what others have released order too, read-modify-writes do not: see lock_order.h, which
// judges in the same way.
//
// Memory is bounded: clocks of kClockThreads threads and kClockObjects objects; further ones order
// nothing. Snapshots of clocks that nobody has marked are used again (sweep()).
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/epoch_map.h"
#include "wire/event.h"

namespace raddle::analysis {

inline constexpr ThreadId kClockThreads = 512;
inline constexpr std::size_t kClockObjects = 4096;

class SyncClocks {
 public:
  using Snapshot = std::uint32_t;
  static constexpr Snapshot kNone = 0xffffffff;

  void begin();
  void on_event(const wire::Event& event);

  // The time of a thread on its own clock; it begins at 1. 0 for threads beyond kClockThreads.
  std::uint32_t now(ThreadId thread);
  // The clock of the thread as it is now. The same number as long as the clock is the same.
  Snapshot snapshot(ThreadId thread);
  // What the owner of the snapshot knew of the time of a thread.
  std::uint32_t known(Snapshot snapshot, ThreadId thread) const {
    const Clock& clock = snapshots_[snapshot].clock;
    return thread < clock.size() ? clock[thread] : 0;
  }
  // What the thread knows of the time of another one now.
  std::uint32_t knows(ThreadId thread, ThreadId other) const {
    if (thread >= threads_.size() || other >= threads_[thread].clock.size()) return 0;
    return threads_[thread].clock[other];
  }

  // Frees all snapshots but those marked since the last time, and those of the threads' clocks.
  bool wants_sweep() const { return in_use_ > sweep_at_; }
  void mark(Snapshot snapshot) {
    if (snapshot != kNone) snapshots_[snapshot].marked = true;
  }
  void sweep();
  std::size_t snapshots() const { return in_use_; }

 private:
  using Clock = std::vector<std::uint32_t>;
  struct Thread {
    Clock clock;
    Snapshot snapshot = kNone;
  };
  struct Kept {
    Clock clock;
    bool marked = false;
    bool used = false;
  };

  Thread& thread(ThreadId id);
  static void join(Clock& to, const Clock& from);
  void give(Clock& to, ThreadId from);
  void give(wire::Location to, ThreadId from);
  void take(ThreadId to, wire::Location from);
  void take(ThreadId to, const Clock& from);
  void order_threads(const wire::Event& event);

  std::vector<Thread> threads_;
  std::vector<Clock> objects_;
  EpochMap<std::uint32_t> object_index_;  // + 1
  std::vector<Kept> snapshots_;
  std::vector<Snapshot> free_;
  std::size_t in_use_ = 0;
  std::size_t sweep_at_ = 0;
};

}  // namespace raddle::analysis
