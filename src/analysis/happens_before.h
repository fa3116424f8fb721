// SPDX-License-Identifier: Apache-2.0
//
// A 64-bit hash of a run's happens-before order (its Mazurkiewicz trace, 1977): equal for runs that
// differ only in the order of independent operations, different (but for collisions) for others.
// A campaign counts distinct hashes as distinct behaviours. Engine side; runs on every event of
// every run, so it must stay within some 20 ns an event.
//
// Every event is hashed from what it does and from the hashes of its immediate predecessors: the
// thread's last event and the last events on the same object that it depends on. Readers are summed
// up, which forgets their order. The run's hash is the sum over threads of their last hashes.
//
// Threads are told apart by the event that created them, not by number: numbers depend on the order
// of independent creations.
//
// Deviations: bytes are kept in granules of eight, so neighbours in one granule count as dependent.
// A remembered access (kEventRemembered) is published whenever a second thread arrives, so its
// place in its own thread's sequence means nothing; it orders others but is no link of its thread's
// chain.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/epoch_map.h"

namespace raddle::analysis {

class HappensBefore final : public Analysis {
 public:
  HappensBefore() { begin(); }

  void begin() override;
  void on_event(const wire::Event& event) override;
  void finish(const facts::Run&, Findings&) override {}

  // Of the events since begin().
  std::uint64_t hash() const;

 private:
  struct Access {
    std::uint64_t write = 0;  // hash of the last exclusive operation
    std::uint64_t reads = 0;  // sum of the hashes of the shared ones since

    std::uint64_t before(bool exclusive) const;
    void add(bool exclusive, std::uint64_t hash);
  };
  struct Thread {
    std::uint64_t birth = 0;  // hash of the event that created it
    std::uint64_t last = 0;   // hash of its last event
    bool seen = false;
  };

  Thread& thread(ThreadId id);
  std::uint64_t touch(const wire::Event& event, wire::OpClass cls, std::uint64_t hash);

  std::vector<Thread> threads_;
  EpochMap<Access> accesses_;
};

}  // namespace raddle::analysis
