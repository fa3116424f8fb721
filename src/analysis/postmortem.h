// SPDX-License-Identifier: Apache-2.0
//
// Postmortem: what one failing run did that the passing runs of the same program and input did not,
// as a few ordered pairs of operations, the likely cause first. Engine side; pure.
//
// Every run is reduced to its traits, in terms of places in the code: unserializable interleavings
// (analysis/avio.h), definition-use pairs (analysis/def_use.h), orders and windows over two
// variables (analysis/conflicts.h). A trait of the failing run that no passing run has is a
// candidate. The idea is that of ranking patterns of accesses by how they go with failures (Park,
// Vuduc, Harrold, "Falcon: Fault Localization in Concurrent Programs", ICSE 2010); deviations: the
// runs are not samples but neighbours of the failing one, so one passing run is enough to rule a
// pattern out; patterns of two variables count only if both of their orders are harmless alone;
// and whether an interleaving is a matter of atomicity or of order is decided by the passing runs.
// If they show the remote access both before and after the other two, these two have to stay
// together; if they show one order only, that order was broken.
//
// If no trait distinguishes, the orders of single operations do: pairs that came the other way
// round in all of the nearest passing runs, or in the nearest one that has any.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/avio_rank.h"
#include "analysis/conflicts.h"
#include "analysis/def_use.h"

namespace raddle::analysis {

// What can be compared with other runs.
struct Traits {
  std::vector<Interleaving> interleavings;
  std::map<DefUse, Instance> pairs;
  std::map<WindowKey, WindowEvents> windows;
  Conflicts::Orders orders;
  std::set<SiteId> places;
  std::vector<std::uint64_t> edges;                           // sorted; for distances
  std::vector<ConflictEdge> edge_events;                      // of the failing run only
  std::vector<std::uint64_t> identities;                      // of the failing run only
  std::unordered_map<std::uint64_t, std::uint32_t> position;  // of events, by their identities
};

class TraitReader {
 public:
  // `places` has one for each event.
  Traits read(std::span<const wire::Event> events, std::span<const SiteId> places);

 private:
  Avio avio_;
  DefUses def_uses_;
  Conflicts conflicts_;
};

// How many orders of operations two runs do not have in common.
std::size_t distance(const Traits& a, const Traits& b);

enum class Label : std::uint8_t { atomicity, order, deadlock, multi_variable };
constexpr const char* label_word(Label label) {
  constexpr const char* kWords[] = {"atomicity", "order", "deadlock", "multi-variable"};
  return kWords[static_cast<unsigned>(label)];
}

// Why it is told; decides the words.
enum class Reason : std::uint8_t {
  interleaved,  // events: P, remote, I
  windows,      // events: as in WindowEvents
  pair,         // events: first, second (an initial use: use, late definition if any); see `pair`
  lock_cycle,   // events: acquisition and wanted lock of every thread
  reversed,     // events: first, second
  race,         // events: earlier, later
};

// Where passing runs have the remote access of an interleaving: before or after the other two.
enum class Side : std::uint8_t { both, before, after };

struct Cause {
  Label label = Label::order;
  Reason reason = Reason::pair;
  DefUse pair;                      // of a pair
  std::uint8_t number = 0;          // the case of an interleaving
  bool invariant = false;           // no passing run is interleaved so at its I, by whatever code
  Side usual_side = Side::both;     // of an interleaving
  std::vector<std::size_t> events;  // of the failing run
  // The ordered pairs: positions in `events`, the earlier operation first.
  std::vector<std::pair<std::size_t, std::size_t>> orders;
  // Places that the use of a pair gets its value from in passing runs; 0: the initial value.
  std::vector<SiteId> usual;
  std::size_t failing = 0;  // how many of the other runs that fail in the same way have it
  std::size_t runs = 0;     // of reversed: passing runs that have the other order
  bool only_here = false;   // at a place that no passing run reaches
  bool in_library = false;  // no operation of it lies in the user's code
};

// The runs that the failing one is compared with.
struct Neighbourhood {
  std::vector<Traits> passing;
  std::vector<Traits> failing;  // in the same way
};

class Postmortem {
 public:
  // `is_user`: whether a place lies in the program's own code. All of it must outlive this.
  Postmortem(std::span<const wire::Event> events, std::span<const SiteId> places,
             const Traits& failing, const Neighbourhood& others,
             std::function<bool(SiteId)> is_user);

  // The likely cause first. `evident`: a cause is known already, so that single orders are not
  // looked for.
  std::vector<Cause> causes(bool evident) const;
  // Indices into the passing runs, the nearest first.
  std::vector<std::size_t> nearest() const;

 private:
  void add_interleavings(std::vector<Cause>& causes) const;
  void add_pairs(std::vector<Cause>& causes) const;
  void add_windows(std::vector<Cause>& causes) const;
  void add_reversed(std::span<const std::size_t> near, std::vector<Cause>& causes) const;
  void finish(Cause& cause, std::size_t failing) const;
  void judge_order(Cause& cause) const;
  bool is_part_of(const DefUse& pair, const std::vector<Cause>& causes) const;
  std::vector<SiteId> usual(const DefUse& pair) const;
  std::size_t definition_after(std::size_t use, const std::vector<SiteId>& at) const;
  bool was_before(SiteId a, SiteId b) const { return orders_.contains({a, b}); }

  std::span<const wire::Event> events_;
  std::span<const SiteId> places_;
  const Traits& failing_;
  const Neighbourhood& others_;
  std::function<bool(SiteId)> is_user_;
  Conflicts::Orders orders_;  // of all passing runs
  std::set<SiteId> reached_;  // by any passing run
};

}  // namespace raddle::analysis
