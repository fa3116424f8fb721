// SPDX-License-Identifier: Apache-2.0
//
// Unserializable interleavings of a run: two accesses of one thread to one place with accesses of
// others between them, such that no order in which the two follow each other directly gives every
// read the same value and leaves the same last write. Engine side.
//
// The algorithm is AVIO-S (Lu, "Understanding, Detecting and Exposing Concurrency Bugs", 2008,
// chapter 4). P is a thread's access to a place, I its next one, the remote access one of another
// thread in between. Of the eight combinations of reads and writes four are unserializable:
//
//   case 2  R W R  two reads see different values      case 5  W R W  a value meant to be
//   case 3  W W R  a read misses the thread's write             overwritten is seen
//                                                      case 6  R W W  a write based on a stale read
//
// Of several remote accesses one write is enough for cases 2, 3 and 6; case 5 needs the first one
// to be a read: if it is a write, all of them could have come before P. This is exact: it says what
// trying all orders says (avio_test.cc).
//
// An I at which no correct run is interleaved so is an invariant: the programmer means P and I to
// belong together. What invariants there are is learned (analysis/invariants.h); here they are a
// question that somebody answers. Without an answer nothing is suspected.
//
// Deviations from the dissertation: an atomic read-modify-write is one access that reads and
// writes, a compare-exchange that lost only reads; atomic accesses count like plain ones; a free
// forgets what was known of the block. The events of a run are of data that several threads touch,
// so at the granularity of cache lines only such data can be on one line. Of a thread's accesses to
// memory on a stack, P may be of an earlier call whose frame lay there.
//
// Requires: runs that record every access to shared data (Plan::racing_only is 0). In others P may
// be missing, and what is found would be wrong.
//
// Memory is bounded: kUnitsMax places a run; when they are used up everything is forgotten and the
// run goes on from there. kInterleavingsMax distinct interleavings a run, further ones are left
// out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/epoch_map.h"

namespace raddle::analysis {

inline constexpr std::size_t kUnitsMax = std::size_t{1} << 18;
inline constexpr std::size_t kInterleavingsMax = std::size_t{1} << 14;

// What counts as one place: so many bytes, as a power of two.
enum class Granularity : std::uint8_t { byte = 0, word = 2, line = 6 };

// What an access does.
enum AccessBits : std::uint8_t { kReads = 1, kWrites = 2 };
// 0 if it is none, or frees.
std::uint8_t access_bits(const wire::Event& event);

// The case of three accesses: 0 to 7, by what P, the remote access and I do.
constexpr unsigned case_number(bool p_writes, bool r_writes, bool i_writes) {
  return (p_writes ? 1u : 0u) + (r_writes ? 2u : 0u) + (i_writes ? 4u : 0u);
}
constexpr bool is_unserializable(unsigned number) {
  return number == 2 || number == 3 || number == 5 || number == 6;
}

// The case in which P and I (AccessBits) are interleaved unserializably, or 0: by whether any
// remote access between them wrote, and whether the first one read.
unsigned unserializable(std::uint8_t p, std::uint8_t i, bool remote_write, bool first_reads);

// An unserializable interleaving in terms of code, with its first instance in the run.
struct Interleaving {
  SiteId p = 0, r = 0, i = 0;
  std::uint8_t number = 0;                              // 2, 3, 5 or 6
  std::uint32_t p_index = 0, r_index = 0, i_index = 0;  // in the run's events
  std::uint32_t last_i_index = 0;                       // of the last instance
  std::uint32_t count = 0;                              // instances

  // Equal for the same interleaving in other runs of the program.
  std::uint64_t key() const;
};

class Avio final : public Analysis {
 public:
  explicit Avio(Granularity granularity = Granularity::word)
      : shift_(static_cast<unsigned>(granularity)) {}

  // From now on finish() reports interleavings at these I; null: none. Asked about all candidates()
  // of a run.
  void suspect(std::function<bool(SiteId i)> invariant) { invariant_ = std::move(invariant); }

  void begin() override;
  void on_event(const wire::Event& event) override;
  // The events of a suspicion are P, the remote access and I; first_index is that of I.
  void finish(const facts::Run& run, Findings& findings) override;

  // Of the run so far, in the order of their first instances. In cases 2, 3 and 6 the remote access
  // is the last write before I, in case 5 the first read after P.
  const std::vector<Interleaving>& interleavings() const { return found_; }
  // The places of code that could have been the I of an interleaving, sorted: their thread had
  // accessed the place before, and another thread accesses it, too.
  std::vector<SiteId> candidates() const;

 private:
  struct Mine {             // a thread's last access to a unit
    std::uint32_t index;    // of its event
    std::uint32_t version;  // of the unit after it
    std::uint32_t reader;   // whoever has seen what it wrote: the event
    ThreadId thread;
    std::uint8_t bits;  // 0: none
    bool seen;          // what it wrote, by another thread, before anybody wrote again
  };
  struct Unit {
    std::uint32_t generation;    // of its block
    std::uint32_t version;       // writes so far
    std::uint32_t writer_index;  // the last one's event
    std::uint32_t waiting;       // I before it was shared: + 1, in waiting_
    ThreadId writer, first;      // first: the only one that has accessed it, until it is shared
    bool shared;
    Mine mine[2];  // most data has two threads; further ones are in others_
  };
  struct Waiting {
    SiteId site;
    std::uint32_t next;
  };

  void access(const wire::Event& event, std::uint64_t key, std::uint8_t bits);
  std::uint32_t unit_of(const wire::Event& event, std::uint64_t key);
  Mine& mine(std::uint32_t unit, ThreadId thread);
  void judge(const Unit& unit, const Mine& me, std::uint8_t bits);
  void note_candidate(Unit& unit, SiteId site);
  void share(Unit& unit);
  void report(const Interleaving& found);

  unsigned shift_;
  std::function<bool(SiteId)> invariant_;
  std::vector<SiteId> sites_;  // of the run's events so far: the last one is that of this event
  EpochMap<std::uint32_t> unit_index_;  // + 1
  std::vector<Unit> units_;
  EpochMap<Mine> others_;                // by unit and thread
  EpochMap<std::uint32_t> generations_;  // of blocks
  EpochMap<bool> candidates_;            // by site
  std::vector<SiteId> candidate_sites_;
  std::vector<Waiting> waiting_;
  EpochMap<std::uint32_t> known_;  // + 1, by key
  std::vector<Interleaving> found_;
};

}  // namespace raddle::analysis
