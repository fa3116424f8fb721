// SPDX-License-Identifier: Apache-2.0
//
// Learned: what the runs so far say about the program, and the plans made from it. Engine side.
// k and n are maxima, because PCT's promise needs upper bounds; the counts of events that urw and
// surw go by are those of the latest run (search/profile.h). All of it is carried in the plan, so
// that a run is determined by its plan alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "facts/run.h"
#include "search/profile.h"
#include "search/site_set.h"

namespace raddle::search {

class Focus;

// What the set of sites of a search is called (Search::learned_sites()).
inline constexpr const char* kSharedSites = "shared";

// What the user fixed for all plans of a campaign.
struct PlanOptions {
  std::uint64_t seed = 1;
  std::uint32_t depth = 3;
  std::uint32_t max_steps = 0;
  std::uint32_t spurious = 0;
  bool races = true;
  wire::Points points = wire::Points::shared;
  wire::Timers timers = wire::Timers::idle;
  bool stop_when_idle = false;
  // Of systematic searches; strategies.cc says which of them use what.
  std::optional<std::uint32_t> bound;
  std::string priority;            // a list for Priority::parse(); empty: the strategy's own
  Focus* focus = nullptr;          // what --method and --var name; may be null
  std::uint64_t memory_bytes = 0;  // beyond it the search goes to disk; 0: no limit
  std::string spill_directory;     // where to; empty: where the system keeps temporary files
};

class Learned {
 public:
  // `profiles`: plans for urw and surw will be asked for.
  explicit Learned(const PlanOptions& options, bool profiles = false)
      : options_(options), profiles_(profiles) {}

  void observe(const facts::Run& run);

  // A plan for the run of this index: its seed is a function of the campaign's seed and the index.
  facts::Plan plan(std::string_view policy, std::uint32_t depth, std::uint64_t index) const;

  // So many runs were made of which nothing new is known.
  void skip(const wire::Batch& batch, std::uint64_t runs);

  // All of it but the profile, for a file; false: this is none.
  std::string save() const;
  bool load(std::string_view saved);

  // Sites that are known beforehand, in any order.
  void know(std::vector<SiteId> sites);

  const PlanOptions& options() const { return options_; }
  std::uint32_t steps_max() const { return steps_max_; }      // k
  std::uint32_t threads_max() const { return threads_max_; }  // n
  std::uint64_t runs() const { return runs_; }
  const SiteSet& sites() const { return sites_; }
  // Whether the last run named sites that its plan did not have.
  bool sites_grew() const { return sites_grew_; }

 private:
  PlanOptions options_;
  bool profiles_;
  Profile profile_;
  SiteSet sites_;
  bool sites_grew_ = false;
  std::uint32_t steps_max_ = 0;
  std::uint32_t threads_max_ = 0;
  std::uint64_t runs_ = 0;
};

}  // namespace raddle::search
