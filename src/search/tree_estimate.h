// SPDX-License-Identifier: Apache-2.0
//
// How large is the space that a search walks through, and how much of it is done: estimates from
// the runs so far. Engine side.
//
// TreeEstimate is the weighted backtrack estimator (Kilby, Slaney, Thiebaux, Walsh, AAAI 2006). All
// executions together weigh 1. The run of a node passes places at which it turned out that others
// are to be run, too; at each the weight is shared out evenly between these and going on, so that
// an execution weighs as much as a walk that decides by lot would be likely to come to it. After n
// runs of weight W together, the space is estimated at n / W executions, of which the part W is
// done. When nothing is open W is 1, and the estimate is the number of runs. Were the runs made
// drawn from all executions with equal chances, W / n would be 1 / (their number) in the mean;
// depth first, the estimate is as good as what comes resembles what was. Deviations: the tree is
// not binary; and an execution that DPOR adds to an ancestor of the node that was run has its share
// of the weight of that node, as the ancestor's is given away already.
//
// ProbeEstimate is Knuth's (Mathematics of Computation 29, 1975), for strategies whose runs are
// independent and decide by lot: the mean of the products of the numbers of candidates. Its
// expectation is the number of executions.
//
// Weights are kept as binary logarithms: runs of some thousand choices would leave the range of a
// double.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts/campaign_result.h"
#include "search/chunked_array.h"
#include "search/execution_tree.h"
#include "wire/event.h"

namespace raddle::search {

struct SpaceEstimate {
  std::uint64_t runs = 0;  // made
  long double total = 0;   // runs there are, with those made; infinity: beyond all numbers
  long double done = 0;    // the part that is done, from 0 to 1
  bool complete = false;   // then total == runs, exactly
  bool at_least = false;   // there will be more than that, as many are found late

  // "an estimated 1,200 runs, 34 % done", "an estimated 1,200 runs or more, at most 34 % done", or
  // "all 90 runs".
  std::string text() const;
};

facts::SpaceEstimate in_numbers(const SpaceEstimate& estimate);

class TreeEstimate {
 public:
  struct Child {
    NodeId node;
    std::uint32_t choice;
  };

  // The root weighs all. Whatever was before is forgotten.
  void begin(NodeId root);
  // The node was run, and these were added, wherever in the tree: in any order. Call it before the
  // tree's executed(), while the ids are good.
  void executed(NodeId node, std::span<const Child> children);
  // The node will not be run: its weight is done with, but it was no run.
  void dropped(NodeId node) { explored_ += weight_of(node); }

  // A binary logarithm. For nodes that leave the memory and come back.
  float weight(NodeId node) const { return weights_[node]; }
  void set_weight(NodeId node, float weight);

  // `complete`: nothing is open any more.
  SpaceEstimate now(bool complete) const;
  std::uint64_t runs() const { return runs_; }
  long double explored() const { return explored_; }  // W
  std::size_t bytes() const { return weights_.allocated_bytes(); }

  // All of it, for a file; false: this is none.
  std::string save() const;
  bool load(std::string_view saved);

 private:
  long double weight_of(NodeId node) const;

  ChunkedArray<float> weights_;  // for each id; of open nodes
  std::uint64_t runs_ = 0;
  long double explored_ = 0;
  std::vector<Child> sorted_;  // scratch
};

// Of a depth-first enumeration the path that comes next says it all: the weight of everything
// before it. `path`: ranks, as policy/dfs_step.h has them.
long double explored_before(std::span<const wire::ChoiceRecord> path);
SpaceEstimate estimate_of(std::uint64_t runs, long double explored, bool complete);

class ProbeEstimate {
 public:
  // One run: how many could have been picked at each of its choices.
  void add(std::span<const wire::ChoiceRecord> choices);
  std::uint64_t probes() const { return probes_; }
  long double mean() const;
  // The standard error of the mean, as a part of it.
  long double relative_error() const;

 private:
  std::uint64_t probes_ = 0;
  long double sum_ = 0;
  long double squares_ = 0;
};

}  // namespace raddle::search
