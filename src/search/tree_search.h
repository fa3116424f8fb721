// SPDX-License-Identifier: Apache-2.0
//
// TreeSearch: best-first search of the tree of executions, with or without a bound, with or without
// partial-order reduction. Engine side. The strategies dpor, best-first, preemption-bound,
// context-bound, delay-bound and random-walk are this search with different settings.
//
// After Gambit (Coons, Burckhardt, Musuvathi, PPoPP 2010, Figure 4): run the best node of the
// fringe, find the places where its run could have gone another way, add a node for each, forget
// nodes that are done with.
//
// Where a run could have gone another way:
// - Ways::all: at every choice behind the node's own, every other candidate (within the bound);
// - Ways::reversals: partial-order reduction. The races of the run say where (search/reversals.h);
//   that may be at a choice of an ancestor's part of the run, whose node then gets the child. For
//   every such state the threads that have been tried from it are remembered (done sets), and a new
//   child starts with a sleep set (Godefroid 1996): those tried before it, and those asleep there,
//   that are independent of its first step. The order in which children are run does not matter for
//   that: every child's sleep set speaks of earlier children only, so no two leave out the same run
//   for each other's sake.
// Values are tried all, in both.
//
// invariant (reversals): every complete run is of another trace, and at the end there is one of
// each; runs that only repeat others are blocked when they reach a state where everybody sleeps.
//
// Several nodes may be under way at a time (Search::concurrent): children are then added in the
// order in which runs end, which is as good as any other. A node that is under way is a leaf, and
// keeps its ancestors with their done sets.
//
// The state may be kept in a file and taken up by a later campaign (tree_state.cc); beyond
// PlanOptions::memory_bytes, nodes that wait go to disk (search/overflow.h).
//
// Deviations from Gambit: source sets instead of persistent sets, sleep sets as a part of the
// reduction and not only as a priority; nodes name choices instead of steps.
#pragma once

#include <map>
#include <utility>

#include "search/abilities.h"
#include "search/coverage_words.h"
#include "search/execution.h"
#include "search/execution_tree.h"
#include "search/fringe.h"
#include "search/learned.h"
#include "search/overflow.h"
#include "search/priority.h"
#include "search/reversals.h"
#include "search/tree_estimate.h"

namespace raddle::search {

enum class Ways : std::uint8_t { all, reversals };
enum class BoundKind : std::uint8_t { none, preemptions, delays };

struct TreeOptions {
  Ways ways = Ways::all;
  BoundKind bound_kind = BoundKind::none;
  std::uint32_t bound = 0;
  Priority priority = {};       // empty: depth first
  bool by_preemptions = false;  // all runs with few preemptions come before any with more
};

class TreeSearch : public Search,
                   public Concurrent,
                   public Exhaustive,
                   public Measured,
                   public Resumable,
                   public SiteLearning {
 public:
  TreeSearch(const PlanOptions& options, TreeOptions tree_options);
  // It refers to itself.
  TreeSearch(const TreeSearch&) = delete;
  TreeSearch& operator=(const TreeSearch&) = delete;

  std::optional<facts::Plan> next() override;
  void observe(const facts::Run& run) override;
  std::string guarantee() const override;
  bool complete() const override;
  bool proves_all() const override { return complete() && options_.bound_kind == BoundKind::none; }
  facts::SearchSize size() const override;
  std::optional<std::uint64_t> distinct_runs() const override {
    if (options_.ways == Ways::all) return std::nullopt;
    return counts_.runs - runs_before_;
  }
  std::optional<Error> failure() const override { return failure_; }
  std::optional<facts::SpaceEstimate> estimate() const override;
  bool resumable() const override { return (started_ || learned_.runs() > 0) && !exhausted_; }
  bool finished() const override { return exhausted_; }
  Status save(const std::string& path, std::string_view subject) override;
  Status load(const std::string& path, std::string_view subject) override;
  std::vector<LearnedSites> learned_sites() const override {
    return {{kSharedSites, learned_.sites().sites()}};
  }
  void start_with(const KnownSites& known) override { learned_.know(known(kSharedSites)); }

  const ExecutionTree& tree() const { return tree_; }
  const RunCounts& counts() const { return counts_; }

 private:
  // A node that is being run.
  struct Flight {
    std::uint64_t ticket = 0;
    Open open;
    unsigned attempts = 0;  // that diverged
  };

  void begin_anew();
  void make_overflow();
  bool load_table(const std::string& name, std::string_view saved);
  std::optional<Flight> take_flight(std::uint64_t ticket);
  facts::Plan plan_for(NodeId node);
  bool followed(const facts::Run& run) const;
  void finish_node();
  void forget(NodeId id);
  std::uint64_t set_bytes() const;
  SpaceEstimate space() const;
  bool doubtful() const;
  bool all_made() const;
  void expand(const facts::Run& run);
  void expand_all();
  void expand_values();
  void expand_reversals(bool ended_early);
  void add_reversal(const Reversal& reversal);
  void add(NodeId parent, const Alternative& alternative, Mask asleep);
  Mask sleep_after(std::uint32_t choice, Mask sleepers, ThreadId thread) const;
  std::uint32_t cost(std::uint32_t choice, ThreadId thread) const;
  Alternative alternative(std::uint32_t choice, std::uint16_t pick);
  std::uint32_t first_new_step() const;
  void note_size();

  Learned learned_;
  TreeOptions options_;
  Execution execution_;
  Reversals reversals_;
  ExecutionTree tree_;
  Fringe fringe_;
  std::vector<Mask> sleep_;  // by node: right after its delta
  // The threads that have been tried from a state, by node and choice.
  std::map<std::pair<NodeId, std::uint32_t>, Mask> done_;
  TreeEstimate estimate_;
  std::vector<TreeEstimate::Child> added_now_;  // by the run being expanded
  std::optional<Overflow> overflow_;
  std::vector<Flight> flights_;
  std::vector<Flight> again_;  // to be run once more, before others
  std::uint64_t tickets_ = 0;
  std::optional<Error> failure_;
  NodeId node_ = kNoNode;  // whose run is being looked at
  bool started_ = false;
  bool exhausted_ = false;
  bool racing_only_ = true;  // wire::Plan::racing_only
  bool uses_time_ = false;
  bool wide_ = false;                   // a choice had more candidates than a record can tell
  std::uint64_t added_ = 0;             // nodes, ever
  std::uint32_t preemptions_done_ = 0;  // all runs with fewer have been made (by_preemptions)
  RunCounts counts_;
  std::uint64_t runs_before_ = 0;  // of these: in earlier campaigns
  facts::SearchSize size_;
  std::uint64_t restarts_ = 0;
  // Of the run being expanded: what partial-order reduction asks for, and sleep sets, by choice.
  std::vector<Mask> asked_, doubtful_, asleep_;
  std::vector<std::uint32_t> spent_;  // of the bound, before each choice
};

}  // namespace raddle::search
