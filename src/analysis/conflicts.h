// SPDX-License-Identifier: Apache-2.0
//
// Which accesses of a run conflict and in what order they came: the raw material for comparing two
// runs of one program. Engine side.
//
// Two things are kept. Orders of places: that some thread was at place A before another was at
// place B, on the same bytes, one of the two writing. And edges between single events: from each to
// the next of another thread that it conflicts with, or that concerns the same synchronisation
// object. An event has an identity that holds across runs: the how manieth operation of its thread
// at its place it is. Two runs with the same edges between the same identities are the same but for
// the order of what does not matter; the number of edges that one has and the other lacks is how
// far apart they are.
//
// A window is a cycle of two edges over two variables: T touches x before S does, and S touches y
// before T does, both close together in both threads. A run in which each of the two blocks of code
// were one step could not have it.
//
// Requires: a run that records every access to shared data (Plan::racing_only is 0). Memory is
// bounded: kGranulesMax granules, kEdgesMax edges and kWindowsMax windows, the latter of accesses
// that are at most kWindow apart in their threads; further ones are left out.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/def_use.h"
#include "analysis/epoch_map.h"
#include "wire/event.h"

namespace raddle::analysis {

inline constexpr std::size_t kConflictEdgesMax = std::size_t{1} << 18;
inline constexpr std::size_t kWindowsMax = std::size_t{1} << 16;
inline constexpr std::uint32_t kWindow = 8;

struct ConflictEdge {
  std::uint32_t from = 0, to = 0;  // indices of events
  bool memory = false;             // else of a synchronisation object
};

// The places of a window: of T on x, S on x, S on y, T on y; and the events of its first instance.
using WindowKey = std::array<SiteId, 4>;
using WindowEvents = std::array<std::size_t, 4>;

class Conflicts {
 public:
  using Orders = std::set<std::pair<SiteId, SiteId>>;

  void begin();
  // The next event, carried out at this place.
  void on_event(const wire::Event& event, SiteId place);

  const Orders& orders() const { return orders_; }
  const std::vector<ConflictEdge>& edges() const { return edges_; }
  // Of the event with this index.
  std::uint64_t identity(std::size_t index) const { return seen_[index].identity; }
  std::map<WindowKey, WindowEvents> windows() const;

 private:
  struct Seen {
    std::uint64_t identity = 0;
    std::uint64_t where = 0;
    SiteId place = 0;
    std::uint32_t nth_access = 0;  // of its thread
    ThreadId thread = 0;
  };
  struct Access {
    std::uint32_t index = 0;
    std::uint8_t mask = 0;
    bool write = false;
  };
  // Who has been at a place: one thread, or more.
  struct Visit {
    SiteId place = 0;
    ThreadId thread = 0;
    bool several = false, write = false;
    std::uint8_t mask = 0;
  };
  struct Granule {
    std::vector<Access> recent;  // those that no later write covers
    std::vector<Visit> visits;
  };

  void touch(Granule& granule, const Access& self);
  void visit(Granule& granule, const Access& self);
  void touch_object(const wire::Event& event);
  void add_edge(std::uint32_t from, std::uint32_t to, bool memory);

  std::vector<Seen> seen_;
  EpochMap<std::uint32_t> times_;       // that a thread was at a place
  EpochMap<std::uint32_t> accesses_;    // of a thread
  EpochMap<std::uint32_t> granule_of_;  // + 1
  std::vector<Granule> granules_;
  EpochMap<std::uint32_t> last_on_;  // index + 1 of the last operation on an object
  Orders orders_;
  std::vector<ConflictEdge> edges_;
};

}  // namespace raddle::analysis
