// SPDX-License-Identifier: Apache-2.0
//
// The enumeration, and what it may say of itself. Engine side.
#include "search/dfs.h"

#include <fmt/core.h>

#include "search/tree_estimate.h"

namespace raddle::search {
namespace {

using policy::DfsStep;
using wire::VerdictKind;

// Those that the step limit cut are runs, too.
SpaceEstimate estimated(const RunCounts& counts, const policy::DfsPath& path) {
  return estimate_of(counts.runs, explored_before({path.ranks, path.count}), false);
}

}  // namespace

std::optional<facts::SpaceEstimate> Dfs::estimate() const {
  if (exhausted_ || counts_.runs == 0) return std::nullopt;
  return in_numbers(estimated(counts_, path_));
}

std::optional<facts::Plan> Dfs::next() {
  if (exhausted_) return std::nullopt;
  // One seed for all: what the program draws by itself is no part of the enumeration.
  facts::Plan plan = learned_.plan("dfs", learned_.options().depth, 0);
  plan.steering = facts::Ranks{{ranks_.begin(), ranks_.begin() + path_.count}};
  return plan;
}

void Dfs::observe(const facts::Run& run) {
  learned_.observe(run);
  if (learned_.sites_grew()) return begin_anew();
  exhausted_ = follow(run) == DfsStep::exhausted;
}

void Dfs::begin_anew() {
  // The first run is there to learn: what it shows is no surprise.
  if (learned_.runs() > 1) ++restarts_;
  path_ = {};
  counts_ = {};
}

DfsStep Dfs::follow(const facts::Run& run) {
  auto made = static_cast<std::uint32_t>(run.choices.size());
  if (run.verdict.kind == VerdictKind::divergence || !policy::dfs_followed(path_, made)) {
    ++counts_.diverged;
    return policy::dfs_leave(path_);
  }
  ++counts_.runs;
  if (!ended_by_itself(run)) ++counts_.cut;
  if (run.fairness_cuts > 0) ++counts_.unfair;
  if (run.accesses_lost) ++counts_.forgetful;
  if (ranks_.size() < made) ranks_.resize(made);
  path_.ranks = ranks_.data();
  return policy::dfs_next(path_, run.choices.data(), made);
}

void Dfs::add_stretch(const Counts& made, DfsStep last, std::span<const wire::ChoiceRecord> path,
                      bool wide) {
  counts_.runs += made.runs;
  counts_.cut += made.cut;
  counts_.unfair += made.unfair;
  counts_.diverged += made.diverged;
  counts_.forgetful += made.forgetful;
  ranks_.assign(path.begin(), path.end());
  path_ = {ranks_.data(), static_cast<std::uint32_t>(path.size()), path_.wide || wide};
  exhausted_ = last == DfsStep::exhausted;
}

std::optional<facts::Batch> Dfs::next_batch(std::uint64_t max) {
  std::uint64_t count = exhausted_ ? 0 : batches_.next(learned_.runs(), max);
  if (count == 0) return std::nullopt;
  facts::Batch batch;
  batch.plan = *next();
  batch.header.seed = learned_.options().seed;
  batch.header.count = count;
  batch.header.enumerate = 1;
  return batch;
}

void Dfs::observe_batch(const facts::Batch& batch, std::uint64_t runs) {
  const wire::Batch& made = batch.header;
  learned_.skip(made, runs);
  // The last run may have been cut and still be looked at: then observe() counts it.
  std::uint64_t cut = made.limited - (made.runs > runs && made.limited > 0 ? 1 : 0);
  bool exhausted = made.end == wire::BatchEnd::exhausted;
  add_stretch({.runs = runs,
               .cut = cut,
               .unfair = made.fairness_cuts,
               .diverged = made.diverged,
               .forgetful = made.forgetful},
              exhausted ? DfsStep::exhausted : DfsStep::next,
              facts::rows_of<facts::Ranks>(batch.plan.steering), made.wide != 0);
}

bool Dfs::complete() const { return all_made() && counts_.cut == 0; }

// But for runs that were cut.
bool Dfs::all_made() const {
  return exhausted_ && counts_.diverged == 0 && counts_.forgetful == 0 && !path_.wide;
}

std::string Dfs::reservations() const {
  std::string text = reservation_words(counts_, restarts_);
  if (path_.wide)
    text += fmt::format("; of choices among {} or more, only the first {} were followed",
                        policy::kDfsWide, policy::kDfsWide);
  return text;
}

std::string Dfs::guarantee() const {
  std::string runs = plural(counts_.runs, "interleaving");
  bool all = all_made();
  if (all && counts_.runs == 1)
    return fmt::format("the only interleaving {} was run{}", point_words(learned_), reservations());
  if (all) return fmt::format("all {} {} were run{}", runs, point_words(learned_), reservations());
  std::string more =
      exhausted_ ? "" : ", depth first; there are more: " + estimated(counts_, path_).text();
  return fmt::format("{} {} {} run{}{}", runs, point_words(learned_),
                     counts_.runs == 1 ? "was" : "were", more, reservations());
}

}  // namespace raddle::search
