// SPDX-License-Identifier: Apache-2.0
//
// Potential deadlocks of a run that did not deadlock: cycles in the order in which threads took
// locks while they held others. Engine side.
//
// The algorithm is GoodLock (Havelund, "Using Runtime Analysis to Guide Model Checking of Java
// Programs", SPIN 2000) with the refinements of Bensalem and Havelund ("Dynamic Deadlock Analysis
// of Multi-Threaded Programs", 2005). Every acquisition of a lock by a thread that holds others
// adds an edge from each of those to it. A cycle is reported if its threads are distinct (one
// thread alone waits for nobody), if no lock is held at two of its edges (a gate lock keeps their
// threads apart), and if no two of its edges are ordered.
//
// What orders edges: creation and join of threads, as the segments of the second paper; beyond it
// barriers, semaphores, condition variables, one-time initialisation, OpenMP tasks, and atomic
// loads that acquire what others have released, by vector clocks. Locks order nothing, nor do
// atomic read-modify-writes what comes after them: counters and locks came in this order by chance.
// So a program whose threads take turns by a flag below a lock is suspected wrongly; a directed run
// refutes that.
//
// Further deviations: read locks do not exclude each other, neither in a cycle nor as gates; tries
// and waits with a deadline lead to no edge, as nobody is stuck in them, but what they got is held;
// cycles are of at most kCycleMax locks.
//
// Memory is bounded: kEdgesMax edges a run, the same one at most kVariantsMax times with another
// clock; clocks of kClockThreads threads and kClockObjects objects. Further edges and threads are
// left out, which hides cycles; further objects order nothing. The order of what is reported
// depends on the events alone.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/epoch_map.h"
#include "analysis/sync_clocks.h"

namespace raddle::analysis {

inline constexpr std::size_t kCycleMax = 4;
inline constexpr std::size_t kEdgesMax = 4096;
inline constexpr std::size_t kVariantsMax = 16;
inline constexpr std::size_t kCyclesMax = 16;  // reported of one run

// What tells two cycles apart, equal in runs that show the same one: places in the code and locks.
std::uint64_t cycle_key(const facts::Evidence& cycle);

// The locks of a cycle in its order: that of the first event of every pair.
std::vector<wire::Location> cycle_locks(const facts::Evidence& cycle);

class LockOrder final : public Analysis {
 public:
  void begin() override;
  void on_event(const wire::Event& event) override;
  // The events of a cycle are pairs: where a thread took the lock that it holds, and where it asked
  // for the next one. The first pair is that of the lowest thread.
  void finish(const facts::Run& run, Findings& findings) override;

 private:
  struct Held {
    wire::Event event;  // the acquisition
    bool read;
    std::uint32_t depth;  // of a recursive mutex
  };
  struct Thread {
    std::vector<Held> held;
  };
  // A thread asked for `wanted` while it held what is in the set, and `source` of that is what the
  // edge comes from.
  struct Edge {
    std::uint32_t set;
    std::uint32_t source;
    wire::Event wanted;
    bool read;
    SyncClocks::Snapshot snapshot;

    ThreadId thread() const { return wanted.thread; }
  };
  // How often an edge has been seen with another clock, and which was the last.
  struct Seen {
    std::uint32_t count;
    SyncClocks::Snapshot snapshot;
  };

  const Held& from(const Edge& edge) const { return held_sets_[edge.set][edge.source]; }
  Thread& thread(ThreadId id);
  void acquire(const wire::Event& event, bool read, bool waits);
  void release(const wire::Event& event);
  void add_edges(Thread& self, const wire::Event& event, bool read);

  std::vector<std::size_t> cyclic_edges() const;
  void extend(std::vector<std::size_t>& path, const std::vector<std::size_t>& edges,
              Findings& found);
  bool fits(const std::vector<std::size_t>& path, const Edge& next) const;
  bool concurrent(const Edge& a, const Edge& b) const;
  void report(const std::vector<std::size_t>& path, Findings& found);

  std::vector<Thread> threads_;
  SyncClocks clocks_;
  std::vector<std::vector<Held>> held_sets_;
  std::vector<Edge> edges_;
  EpochMap<Seen> seen_;
  std::unordered_set<std::uint64_t> reported_;
  std::size_t work_ = 0;  // spent on looking for cycles
};

}  // namespace raddle::analysis
