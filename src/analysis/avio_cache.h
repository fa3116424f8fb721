// SPDX-License-Identifier: Apache-2.0
//
// AVIO-H: what a processor would see of the unserializable interleavings of a run (avio.h), if its
// caches kept two more bits a line. A simulation driven by the events of a run. Engine side.
//
// As in the dissertation of Lu (2008, section 4.4): every core has a first-level cache of its own,
// kept coherent by invalidation (MESI); the second level is shared. A line of the first level has
//   PI   whether its core's last access was a read,
//   DG   whether another core has read it since, while it was dirty (a downgrade), and
//   INV  whether another core has written it since: the coherence protocol has that bit anyway.
// An access finds an interleaving when it has to go to the second level: a read with INV is case 2
// (PI) or 3, a write with INV and PI case 6, a write with DG and without PI case 5. DG survives a
// later invalidation. What is displaced takes its bits with it, so interleavings are missed; what
// lies on one line is one place, so some are seen that are none (false sharing).
//
// Reconstructed or chosen here: displacement is by age in every set, lines that were invalidated
// have an age, too; the second level is inclusive, so displacing a line there takes it from the
// first levels. Thread t runs on core t modulo their number for good: threads on one core look like
// one. A read-modify-write is a read and then a write. Places have no addresses: which set a line
// falls into is drawn by a hash of its region, and no two blocks share a line. Neither time nor
// load-store queues, prefetching or context switches are modelled.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/epoch_map.h"
#include "wire/event.h"

namespace raddle::analysis {

// Lines are of 64 bytes; sizes are powers of two.
struct CacheParameters {
  unsigned cores = 4;
  std::size_t l1_bytes = std::size_t{32} << 10;
  std::size_t l1_ways = 4;
  std::size_t l2_bytes = std::size_t{1} << 20;
  std::size_t l2_ways = 8;
};

class AvioCache {
 public:
  // The hardware knows neither P nor the remote access.
  struct Report {
    SiteId i = 0;
    std::uint8_t number = 0;    // the case
    std::uint32_t i_index = 0;  // the first instance's event
    std::uint32_t count = 0;    // instances
    std::uint32_t last_index = 0;
  };
  struct Counts {
    std::uint64_t accesses = 0;   // to lines
    std::uint64_t l1_misses = 0;  // that had to go to the second level
    std::uint64_t l2_misses = 0;
    std::uint64_t displaced = 0;  // lines that took their bits with them
  };

  explicit AvioCache(const CacheParameters& parameters = {});

  void begin();
  void on_event(const wire::Event& event);

  // Of the run so far, in the order of their first instances.
  const std::vector<Report>& reports() const { return reports_; }
  const Counts& counts() const { return counts_; }

 private:
  enum class State : std::uint8_t { invalid, shared, exclusive, modified };
  struct Line {
    std::uint64_t name = 0;  // + 1; 0: empty
    std::uint64_t used = 0;  // when
    State state = State::invalid;
    bool last_read = false;    // PI
    bool downgraded = false;   // DG
    bool invalidated = false;  // INV
  };
  struct Cache {
    std::size_t sets, ways;
    std::vector<Line> lines;
  };

  static std::vector<Line>::iterator set_of(Cache& cache, std::uint64_t name);
  static Line* find(Cache& cache, std::uint64_t name);
  Line& place(Cache& cache, std::uint64_t name, Line& displaced);
  Line& fetch(unsigned core, std::uint64_t name);
  void touch_l2(std::uint64_t name);
  void read(unsigned core, std::uint64_t name, SiteId site);
  void write(unsigned core, std::uint64_t name, SiteId site);
  void report(SiteId site, unsigned number);

  std::vector<Cache> l1_;
  Cache l2_;
  std::uint64_t clock_ = 0;
  std::uint32_t index_ = 0;
  EpochMap<std::uint32_t> known_;  // + 1, by site and case
  std::vector<Report> reports_;
  Counts counts_;
};

}  // namespace raddle::analysis
