// SPDX-License-Identifier: Apache-2.0
//
// Coverage: which properties of interleavings a run has shown, by criteria that can be counted and
// compared over runs. Engine side. Observers only look: they know neither policies nor symbols.
//
// A criterion is a set of properties and says which of them a run satisfies (Lu, "Understanding,
// Detecting and Exposing Concurrency Bugs", 2008, chapter 6; Yu et al., "Maple", OOPSLA 2012). One
// observer may serve several criteria, as they look at the same accesses.
//
// What an observer may rely on: events come in the order of the run, and of the run's data that two
// threads have touched they hold every access (wire::Plan::racing_only is 0).
//
// Properties are equal in two runs of one build exactly if their hashes are. Hashes are of sites,
// kinds, threads and counts, never of places in memory, which may differ between schedules. Other
// builds number their sites otherwise: what is kept (memo/) is hashed again from the names of the
// sites.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/count.h"
#include "base/rng.h"
#include "facts/run.h"
#include "wire/event.h"

namespace raddle::analysis {

// One access of a property: enough to tell it in words.
struct PropertyPart {
  SiteId site = 0;
  wire::OpKind kind = wire::OpKind::none;
  ThreadId thread = kNoThread;  // kNoThread: whichever
  std::uint16_t nth = 0;        // of the thread at the site, from 1; 0: any of them
  wire::Location where{};       // where it was in this run; no part of the identity
  friend bool operator==(const PropertyPart&, const PropertyPart&) = default;
};

inline constexpr std::size_t kPropertyPartsMax = 4;

struct Property {
  std::uint64_t hash = 0;
  std::uint8_t form = 0;   // which of several things the criterion says of the parts; in the hash
  std::uint8_t count = 0;  // parts in use; 0: too long to be told, such as an order of everything
  PropertyPart parts[kPropertyPartsMax] = {};

  std::span<const PropertyPart> used() const { return {parts, count}; }
};

// A chain of hashes: begin with a criterion's or an idiom's number, add what tells apart.
constexpr std::uint64_t add_to_hash(std::uint64_t hash, std::uint64_t value) {
  return mix64(hash * 0x9e3779b97f4a7c15ull + value);
}

// The hash of a property that consists of its parts alone. `criterion` is the criterion's name.
std::uint64_t property_hash(std::string_view criterion, std::uint8_t form,
                            std::span<const PropertyPart> parts);

// What a run has shown of one criterion.
struct CriterionRun {
  std::vector<Property> covered;    // each once
  std::vector<Property> predicted;  // other runs may cover these; perhaps this one has already
  std::optional<Count> size;        // of the set of all properties of this run's accesses
  bool truncated = false;           // limits hid some: counts are lower bounds

  void clear() {
    covered.clear();
    predicted.clear();
    size.reset();
    truncated = false;
  }
};

struct Criterion {
  std::string_view name;         // as the command line and the memo know it
  std::string_view description;  // of one property
  bool grows_long;  // exponential in the accesses: runs will hardly ever stop to add to it
};

class CoverageObserver {
 public:
  virtual ~CoverageObserver() = default;

  // Those that finish() speaks of, in this order.
  virtual std::span<const Criterion> criteria() const = 0;

  // A run begins: forget the last one. What makes the next runs cheaper may be kept.
  virtual void begin() = 0;
  // Every event of the run, in order.
  virtual void on_event(const wire::Event& event) = 0;
  // The run is over. Requires: one cleared result for each of criteria().
  virtual void finish(const facts::Run& run, std::span<CriterionRun> results) = 0;
};

// The list of observers (analysis/coverage_observers.cc), a new one of each.
std::vector<std::unique_ptr<CoverageObserver>> make_coverage_observers();

}  // namespace raddle::analysis
