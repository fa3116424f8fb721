// SPDX-License-Identifier: Apache-2.0
//
// Which orders of a run's accesses no schedule can change: what must come before what, and what
// locks keep apart. Engine side.
//
// As the pruning of CTrigger (Lu 2008, chapter 7): creation and join of threads, and barriers,
// order; locks order nothing, but two accesses in one critical section have nobody's of another
// section of the same lock between them. Semaphores, condition variables and flags do not count, so
// some of what seems possible is not. Read locks do not exclude each other. An access that the
// runtime has published late is taken to have been made then.
#pragma once

#include <span>
#include <vector>

#include "analysis/access_trace.h"
#include "wire/event.h"

namespace raddle::analysis {

class AccessOrder {
 public:
  // Requires: the accesses are of these events.
  AccessOrder(std::span<const Access> accesses, std::span<const wire::Event> events);

  // Indices of accesses. Must `first` come before `then`?
  bool before(std::uint32_t first, std::uint32_t then) const;
  // Can `remote` never come between `first` and `then`, two accesses of another thread?
  bool kept_out(std::uint32_t first, std::uint32_t remote, std::uint32_t then) const;

 private:
  using Clock = std::vector<std::uint32_t>;  // by thread: events before this one, of the whole run

  struct Held {
    std::uint64_t lock;
    std::uint32_t section;  // which of the run
    bool read;
    std::uint32_t depth;
  };
  struct Context {
    Clock clock;
    std::vector<Held> held;
  };
  struct Thread : Context {
    std::uint32_t context = kNone;  // where this is kept, if it is
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  Thread& thread(ThreadId id);
  void take(const wire::Event& event, std::uint32_t index);
  void order_threads(const wire::Event& event, std::uint32_t index);
  void acquire(const wire::Event& event, std::uint32_t index);
  void release(const wire::Event& event);
  static void merge(Clock& into, const Clock& from);
  static void know(Clock& clock, ThreadId thread, std::uint32_t events);

  std::span<const Access> accesses_;
  std::vector<Thread> threads_;
  EpochMap<std::uint32_t> barrier_at_;  // index + 1
  std::vector<Clock> barriers_;
  std::vector<Context> contexts_;
  std::vector<std::uint32_t> context_of_;  // by access
};

}  // namespace raddle::analysis
