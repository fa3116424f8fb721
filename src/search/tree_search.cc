// SPDX-License-Identifier: Apache-2.0
//
// The loop of the tree search, and what it may say of itself. Engine side. Where runs could have
// gone another way is found in tree_expand.cc.
#include "search/tree_search.h"

#include <fmt/core.h>

#include <algorithm>

#include "policy/dfs_step.h"

namespace raddle::search {
namespace {

using wire::VerdictKind;

// Whether the program's own failure ended the run.
bool fails(const facts::Run& run) {
  switch (run.verdict.kind) {
    case VerdictKind::none:
    case VerdictKind::exited:
    case VerdictKind::leaked_thread:
    case VerdictKind::limit:
    case VerdictKind::blocked:
    case VerdictKind::idle:
      return false;
    default:
      return true;
  }
}

// A run that diverges may have been disturbed by what raddle does not control, once.
constexpr unsigned kAttempts = 3;

}  // namespace

TreeSearch::TreeSearch(const PlanOptions& options, TreeOptions tree_options)
    : learned_(options), options_(std::move(tree_options)) {
  make_overflow();
}

void TreeSearch::begin_anew() {
  // The first run is there to learn: what it shows is no surprise.
  if (learned_.runs() > 1) ++restarts_;
  tree_ = {};
  fringe_ = Fringe();
  estimate_ = {};
  make_overflow();
  flights_.clear();
  again_.clear();
  sleep_.clear();
  done_.clear();
  counts_ = {};
  runs_before_ = 0;
  node_ = kNoNode;
  started_ = exhausted_ = false;
  added_ = 0;
  preemptions_done_ = 0;
  wide_ = false;
}

std::optional<facts::Plan> TreeSearch::next() {
  if (failure_) return std::nullopt;
  if (!started_) {
    started_ = true;
    sleep_.assign(1, 0);
    NodeId root = tree_.add_root();
    estimate_.begin(root);
    fringe_.push(root, 0);
    ++added_;
  }
  Flight flight;
  if (!again_.empty()) {
    flight = again_.back();
    again_.pop_back();
  } else {
    if (Status settled = overflow_->settle(set_bytes()); !settled) {
      failure_ = settled.error();
      return std::nullopt;
    }
    auto open = fringe_.pop();
    if (!open) return std::nullopt;
    flight.open = *open;
    if (options_.by_preemptions) preemptions_done_ = static_cast<std::uint32_t>(open->priority);
  }
  flight.ticket = ++tickets_;
  flights_.push_back(flight);
  facts::Plan plan = plan_for(flight.open.node);
  plan.ticket = flight.ticket;
  return plan;
}

// Nothing: the run is of a tree that was given up since.
std::optional<TreeSearch::Flight> TreeSearch::take_flight(std::uint64_t ticket) {
  RADDLE_CHECK(ticket != 0 || flights_.size() == 1);
  auto found = std::find_if(flights_.begin(), flights_.end(), [&](const Flight& flight) {
    return ticket == 0 || flight.ticket == ticket;
  });
  if (found == flights_.end()) return std::nullopt;
  Flight flight = *found;
  flights_.erase(found);
  return flight;
}

facts::Plan TreeSearch::plan_for(NodeId node) {
  // One seed for all: what the program draws by itself is no part of the search.
  facts::Plan plan = learned_.plan("tree", learned_.options().depth, 0);
  plan.header.systematic = 1;
  // What does not race is ordered by what is a point anyhow; what races is seen to, in every run of
  // a trace.
  plan.header.racing_only = racing_only_ ? 1 : 0;
  // Only the race detector tells which accesses these are, whether the user asks for races or not:
  // of shared data in general, just some of the accesses are known.
  if (racing_only_ && plan.header.points == wire::Points::shared && plan.header.races == 0) {
    plan.header.races = 1;
    plan.quiet_races = true;
  }
  const Focus* focus = learned_.options().focus;
  plan.header.stacks = focus != nullptr && focus->has_methods() ? 1 : 0;
  bool sleeps = options_.ways == Ways::reversals;
  std::vector<NodeId> path;
  for (; !tree_.at(node).is_root(); node = tree_.at(node).parent) path.push_back(node);
  facts::Deviations deltas;
  deltas.rows.reserve(path.size());
  for (std::size_t i = path.size(); i-- > 0;) {
    const ExecutionTree::Node& n = tree_.at(path[i]);
    wire::ChoiceRecord record{
        n.choice, n.pick, n.is_value() ? wire::OpKind::value : wire::OpKind::none, n.candidates};
    deltas.rows.push_back({record, sleeps ? sleep_[path[i]] : 0});
  }
  plan.steering = std::move(deltas);
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
  auto flight = take_flight(run.ticket);
  if (!flight) return;
  node_ = flight->open.node;
  added_now_.clear();
  if (!followed(run)) {
    if (++flight->attempts < kAttempts) {
      again_.push_back(*flight);
      return;
    }
    ++counts_.diverged;
    estimate_.dropped(node_);
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
  if (run.accesses_lost) ++counts_.forgetful;
  if (fails(run) && execution_.leaves_others_unseen()) ++counts_.unseen;
  if (run.fairness_cuts > 0) ++counts_.unfair;
  size_.too_many_threads |= run.too_many_threads;
  uses_time_ |= execution_.uses_time();
  expand(run);
  estimate_.executed(node_, added_now_);
  finish_node();
}

void TreeSearch::forget(NodeId id) {
  done_.erase(done_.lower_bound({id, 0}), done_.upper_bound({id, kNone}));
}

void TreeSearch::finish_node() {
  note_size();
  tree_.executed(node_, [this](NodeId id) { forget(id); });
  node_ = kNoNode;
  exhausted_ = tree_.empty() && overflow_->on_disk() == 0;
}

std::uint64_t TreeSearch::set_bytes() const {
  constexpr std::size_t kDoneBytes = sizeof(NodeId) + sizeof(std::uint32_t) + sizeof(Mask);
  std::uint64_t bytes = done_.size() * kDoneBytes;
  if (options_.ways == Ways::reversals || options_.priority.uses("ss"))
    bytes += tree_.size() * sizeof(Mask);
  return bytes;
}

void TreeSearch::note_size() {
  size_.peak_nodes = std::max<std::uint64_t>(size_.peak_nodes, tree_.size());
  size_.peak_tree_bytes =
      std::max<std::uint64_t>(size_.peak_tree_bytes, tree_.bytes() + fringe_.bytes());
  size_.peak_set_bytes = std::max(size_.peak_set_bytes, set_bytes());
  size_.peak_on_disk = std::max(size_.peak_on_disk, overflow_->peak_on_disk());
  size_.peak_disk_bytes = std::max(size_.peak_disk_bytes, overflow_->disk_bytes());
}

facts::SearchSize TreeSearch::size() const {
  facts::SearchSize size = size_;
  size.runs = counts_.runs;
  size.blocked = counts_.blocked;
  size.nodes = tree_.size();
  size.tree_bytes = tree_.bytes() + fringe_.bytes();
  size.open = fringe_.size();
  size.set_bytes = set_bytes();
  size.on_disk = overflow_->on_disk();
  return size;
}

std::optional<facts::SpaceEstimate> TreeSearch::estimate() const {
  if (exhausted_ || estimate_.runs() == 0) return std::nullopt;
  return in_numbers(space());
}

// Partial-order reduction finds many executions late, and the estimate knows of none before; but
// those that wait are there.
SpaceEstimate TreeSearch::space() const {
  SpaceEstimate space = estimate_.now(false);
  auto made = static_cast<long double>(space.runs);
  std::uint64_t open = fringe_.size() + overflow_->on_disk() + flights_.size() + again_.size();
  space.total = std::max(space.total, made + static_cast<long double>(open));
  if (space.runs > 0) space.done = made / space.total;
  space.at_least = options_.ways == Ways::reversals;
  return space;
}

// What fairness leaves out is none of a strategy's; but where it holds threads back, steps depend
// on each other that the reduction takes to be independent.
bool TreeSearch::doubtful() const {
  return options_.ways == Ways::reversals &&
         (counts_.unfair > 0 || learned_.options().spurious > 0);
}

// But for runs that were cut.
bool TreeSearch::all_made() const {
  return exhausted_ && counts_.diverged == 0 && counts_.forgetful == 0 && counts_.unseen == 0 &&
         !size_.too_many_threads && !wide_ && !doubtful();
}

bool TreeSearch::complete() const { return all_made() && counts_.cut == 0; }

std::string TreeSearch::guarantee() const {
  bool reduced = options_.ways == Ways::reversals;
  std::string within;
  if (options_.bound_kind == BoundKind::preemptions)
    within = fmt::format(" with at most {}", plural(options_.bound, "preemption"));
  if (options_.bound_kind == BoundKind::delays)
    within = fmt::format(" with at most {}", plural(options_.bound, "delay"));
  std::string runs = plural(counts_.runs, reduced ? "trace" : "interleaving") + within;
  std::string scope = point_words(learned_, racing_only_);
  std::string rest = reservation_words(counts_, restarts_);
  if (reduced && counts_.unfair > 0)
    rest += "; since threads had to give way, traces may be missing";
  if (reduced && learned_.options().spurious > 0)
    rest += "; with spurious wake-ups, traces may be missing";
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
  if (all_made() && counts_.runs == 1)
    return fmt::format("the only {} {} was run{}", runs.substr(2), scope, rest);
  if (all_made()) return fmt::format("all {} {} were run{}", runs, scope, rest);
  std::string so_far;
  std::uint32_t preemptions = preemptions_done_;
  for (const auto* unfinished : {&flights_, &again_})
    for (const Flight& flight : *unfinished)
      preemptions = std::min(preemptions, static_cast<std::uint32_t>(flight.open.priority));
  if (options_.by_preemptions && !exhausted_ && preemptions > 0)
    so_far = fmt::format(", among them all with at most {}", plural(preemptions - 1, "preemption"));
  std::string more = exhausted_ ? "" : "; there are more: " + space().text();
  return fmt::format("{} {} {} run{}{}{}", runs, scope, counts_.runs == 1 ? "was" : "were", so_far,
                     more, rest);
}

}  // namespace raddle::search
