// SPDX-License-Identifier: Apache-2.0
//
// The loop of the tree search, and what it may say of itself. Engine side. Where runs could have
// gone another way is found in tree_expand.cc.
#include "search/tree_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "policy/dfs_step.h"
#include "policy/tree.h"

namespace raddle::search {
namespace {

using wire::VerdictKind;

// A run that diverges may have been disturbed by what raddle does not control, once.
constexpr unsigned kAttempts = 3;

void append(std::vector<wire::ChoiceRecord>& prefix, const policy::TreeDelta& delta) {
  wire::ChoiceRecord records[2];
  static_assert(sizeof records == sizeof delta);
  std::memcpy(records, &delta, sizeof delta);
  prefix.insert(prefix.end(), records, records + 2);
}

}  // namespace

void TreeSearch::begin_anew() {
  // The first run is there to learn: what it shows is no surprise.
  if (learned_.runs() > 1) ++restarts_;
  tree_ = {};
  fringe_ = Fringe();
  sleep_.clear();
  done_.clear();
  counts_ = {};
  node_ = kNoNode;
  started_ = exhausted_ = false;
  added_ = 0;
  preemptions_done_ = 0;
  wide_ = false;
}

std::optional<facts::Plan> TreeSearch::next() {
  if (!started_) {
    started_ = true;
    sleep_.assign(1, 0);
    fringe_.push(tree_.add_root(), 0);
    ++added_;
  }
  if (node_ == kNoNode) {
    auto open = fringe_.pop();
    if (!open) {
      exhausted_ = true;
      return std::nullopt;
    }
    node_ = open->node;
    attempts_ = 0;
    if (options_.by_preemptions) preemptions_done_ = static_cast<std::uint32_t>(open->priority);
  }
  return plan_for(node_);
}

facts::Plan TreeSearch::plan_for(NodeId node) {
  // One seed for all: what the program draws by itself is no part of the search.
  facts::Plan plan = learned_.plan("tree", learned_.options().depth, 0);
  plan.header.systematic = 1;
  // What does not race is ordered by what is a point anyhow; what races is seen to, in every run of
  // a trace.
  plan.header.racing_only = racing_only_ ? 1 : 0;
  bool sleeps = options_.ways == Ways::reversals;
  std::vector<NodeId> path;
  for (; !tree_.at(node).is_root(); node = tree_.at(node).parent) path.push_back(node);
  plan.prefix.reserve(2 * path.size());
  for (std::size_t i = path.size(); i-- > 0;) {
    const ExecutionTree::Node& n = tree_.at(path[i]);
    wire::ChoiceRecord record{
        n.choice, n.pick, n.is_value() ? wire::OpKind::value : wire::OpKind::none, n.candidates};
    append(plan.prefix, {record, sleeps ? sleep_[path[i]] : 0});
  }
  return plan;
}

bool TreeSearch::followed(const facts::Run& run) const {
  if (run.verdict.kind == VerdictKind::divergence) return false;
  const ExecutionTree::Node& node = tree_.at(node_);
  return node.is_root() || run.choices.size() > node.choice;
}

void TreeSearch::observe(const facts::Run& run) {
  learned_.observe(run);
  if (learned_.sites_grew()) return begin_anew();
  if (!followed(run)) {
    if (++attempts_ < kAttempts) return;  // the same node again
    ++counts_.diverged;
    return finish_node();
  }
  execution_.read(run);
  // A handler shares data with the thread that it interrupts, which is no race.
  if (racing_only_ && execution_.has_signals()) {
    racing_only_ = false;
    return begin_anew();
  }
  if (run.verdict.kind == VerdictKind::blocked) {
    ++counts_.blocked;
  } else {
    ++counts_.runs;
    if (!ended_by_itself(run)) ++counts_.cut;
  }
  if (run.fairness_cuts > 0) ++counts_.unfair;
  size_.too_many_threads |= run.too_many_threads;
  uses_time_ |= execution_.uses_time();
  expand(run);
  finish_node();
}

void TreeSearch::finish_node() {
  note_size();
  tree_.executed(node_, [this](NodeId id) {
    auto first = done_.lower_bound({id, 0});
    auto last = done_.upper_bound({id, kNone});
    done_.erase(first, last);
  });
  node_ = kNoNode;
}

void TreeSearch::note_size() {
  constexpr std::size_t kDoneBytes = sizeof(NodeId) + sizeof(std::uint32_t) + sizeof(Mask);
  size_.peak_nodes = std::max<std::uint64_t>(size_.peak_nodes, tree_.size());
  size_.peak_tree_bytes =
      std::max<std::uint64_t>(size_.peak_tree_bytes, tree_.bytes() + fringe_.bytes());
  std::uint64_t sets = done_.size() * kDoneBytes;
  if (options_.ways == Ways::reversals) sets += tree_.size() * sizeof(Mask);
  size_.peak_set_bytes = std::max(size_.peak_set_bytes, sets);
  size_.set_bytes = sets;
}

facts::SearchSize TreeSearch::size() const {
  facts::SearchSize size = size_;
  size.runs = counts_.runs;
  size.blocked = counts_.blocked;
  size.nodes = tree_.size();
  size.tree_bytes = tree_.bytes() + fringe_.bytes();
  size.open = fringe_.size();
  if (tree_.empty()) size.set_bytes = 0;
  return size;
}

bool TreeSearch::complete() const {
  // What fairness leaves out is none of a strategy's; but where it holds threads back, steps depend
  // on each other that the reduction takes to be independent.
  bool reduced_unfairly = options_.ways == Ways::reversals && counts_.unfair > 0;
  return exhausted_ && counts_.cut == 0 && counts_.diverged == 0 && !size_.too_many_threads &&
         !wide_ && !reduced_unfairly;
}

std::string TreeSearch::guarantee() const {
  bool reduced = options_.ways == Ways::reversals;
  std::string within;
  if (options_.bound_kind == BoundKind::preemptions)
    within = fmt::format(" with at most {}", plural(options_.bound, "preemption"));
  if (options_.bound_kind == BoundKind::delays)
    within = fmt::format(" with at most {}", plural(options_.bound, "delay"));
  std::string runs = plural(counts_.runs, reduced ? "trace" : "interleaving") + within;
  std::string scope = point_words(learned_, racing_only_ && learned_.options().races);
  std::string rest = reservation_words(counts_, restarts_);
  if (options_.ways == Ways::reversals && counts_.unfair > 0)
    rest += "; since threads had to give way, traces may be missing";
  if (uses_time_ && learned_.options().timers == wire::Timers::idle)
    rest += "; time passed only where nothing else could run (--timers any tries the rest)";
  if (size_.too_many_threads)
    rest += fmt::format("; threads from number {} on went their default way only",
                        wire::kSearchedThreads);
  if (wide_)
    rest += fmt::format("; of choices among {} or more, only the first {} were followed",
                        policy::kDfsWide, policy::kDfsWide);
  if (reduced)
    rest = " (a trace is all interleavings that differ in the order of independent steps)" + rest;
  bool all = exhausted_ && counts_.diverged == 0 && !size_.too_many_threads && !wide_ &&
             !(reduced && counts_.unfair > 0);
  if (all && counts_.runs == 1)
    return fmt::format("the only {} {} was run{}", runs.substr(2), scope, rest);
  if (all) return fmt::format("all {} {} were run{}", runs, scope, rest);
  std::string so_far;
  if (options_.by_preemptions && !exhausted_ && preemptions_done_ > 0)
    so_far = fmt::format(", among them all with at most {}",
                         plural(preemptions_done_ - 1, "preemption"));
  const char* more = exhausted_ ? "" : "; there are more";
  return fmt::format("{} {} {} run{}{}{}", runs, scope, counts_.runs == 1 ? "was" : "were", so_far,
                     more, rest);
}

}  // namespace raddle::search
