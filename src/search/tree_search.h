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
// Deviations from Gambit: source sets instead of persistent sets, sleep sets as a part of the
// reduction and not only as a priority; nodes name choices instead of steps.
#pragma once

#include <map>
#include <utility>

#include "search/coverage_words.h"
#include "search/execution.h"
#include "search/execution_tree.h"
#include "search/fringe.h"
#include "search/learned.h"
#include "search/priority.h"
#include "search/reversals.h"
#include "search/search.h"

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

class TreeSearch : public Search {
 public:
  TreeSearch(const PlanOptions& options, TreeOptions tree_options)
      : learned_(options), options_(std::move(tree_options)) {}

  std::optional<facts::Plan> next() override;
  void observe(const facts::Run& run) override;
  std::string guarantee() const override;
  bool complete() const override;
  facts::SearchSize size() const override;
  std::optional<std::uint64_t> distinct_runs() const override {
    if (options_.ways == Ways::all) return std::nullopt;
    return counts_.runs;
  }

  const ExecutionTree& tree() const { return tree_; }
  const RunCounts& counts() const { return counts_; }

 private:
  void begin_anew();
  facts::Plan plan_for(NodeId node);
  bool followed(const facts::Run& run) const;
  void leave_node();
  void finish_node();
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
  NodeId node_ = kNoNode;  // being run
  unsigned attempts_ = 0;  // at it that diverged
  bool started_ = false;
  bool exhausted_ = false;
  bool racing_only_ = true;  // wire::Plan::racing_only
  bool uses_time_ = false;
  bool wide_ = false;                   // a choice had more candidates than a record can tell
  std::uint64_t added_ = 0;             // nodes, ever
  std::uint32_t preemptions_done_ = 0;  // all runs with fewer have been made (by_preemptions)
  RunCounts counts_;
  facts::SearchSize size_;
  std::uint64_t restarts_ = 0;
  // Of the run being expanded: what partial-order reduction asks for, and sleep sets, by choice.
  std::vector<Mask> asked_, doubtful_, asleep_;
  std::vector<std::uint32_t> spent_;  // of the bound, before each choice
};

}  // namespace raddle::search
