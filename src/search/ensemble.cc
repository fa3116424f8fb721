// SPDX-License-Identifier: Apache-2.0
//
// Whose turn it is, and what the members have come to together. Engine side.
#include "search/ensemble.h"

#include <algorithm>

#include "base/check.h"

namespace raddle::search {
namespace {

std::string set_of_member(std::size_t index, const std::string& set) {
  return std::to_string(index) + " " + set;
}

}  // namespace

Ensemble::Ensemble(std::vector<Member> members) : members_(std::move(members)) {
  for (Member& member : members_) {
    RADDLE_CHECK(ask<Concurrent>(*member.search) != nullptr);
    member.batching = ask<Batching>(*member.search);
    member.exhaustive = ask<Exhaustive>(*member.search);
    member.measured = ask<Measured>(*member.search);
    member.resumable = ask<Resumable>(*member.search);
    member.learning = ask<SiteLearning>(*member.search);
    RADDLE_CHECK(member.learning != nullptr);
    RADDLE_CHECK(!member.decides || (member.exhaustive != nullptr && member.measured != nullptr));
  }
}

const Ensemble::Member* Ensemble::decided() const {
  for (const Member& member : members_)
    if (member.decides && member.exhaustive->complete()) return &member;
  return nullptr;
}

std::optional<Error> Ensemble::failure() const {
  for (const Member& member : members_)
    if (member.measured != nullptr)
      if (auto failure = member.measured->failure()) return failure;
  return std::nullopt;
}

// Of its share; the one with the least is next.
double Ensemble::progress(const Member& member) const {
  if (member.runs < member.head_start) return -1;
  std::uint64_t weight = in_batches_ ? member.batch_weight : member.weight;
  return static_cast<double>(member.runs - member.head_start) / static_cast<double>(weight);
}

std::vector<Ensemble::Member*> Ensemble::by_turn() {
  std::vector<Member*> order;
  for (Member& member : members_)
    if (member.resumable == nullptr || !member.resumable->finished()) order.push_back(&member);
  std::ranges::stable_sort(order, {}, [this](const Member* m) { return progress(*m); });
  return order;
}

std::optional<facts::Plan> Ensemble::next() {
  if (decided() != nullptr) return std::nullopt;
  for (Member* member : by_turn()) {
    auto plan = member->search->next();
    if (failure()) return std::nullopt;
    if (!plan) continue;  // for now, or for good
    ++member->runs;
    flights_.push_back({++tickets_, plan->ticket, member});
    plan->ticket = tickets_;
    return plan;
  }
  return std::nullopt;
}

void Ensemble::observe(const facts::Run& run) {
  auto flight = std::ranges::find(flights_, run.ticket, &Flight::ticket);
  if (run.ticket == 0 && !flights_.empty()) flight = flights_.end() - 1;
  if (flight == flights_.end()) {
    // The last run of a batch.
    RADDLE_CHECK(run.ticket == 0 && batch_ != nullptr);
    return batch_->search->observe(run);
  }
  facts::Run theirs = run;
  theirs.ticket = flight->member_ticket;
  Member* member = flight->member;
  flights_.erase(flight);
  member->search->observe(theirs);
}

std::optional<facts::Batch> Ensemble::next_batch(std::uint64_t max) {
  in_batches_ = true;
  if (decided() != nullptr) return std::nullopt;
  std::vector<Member*> order = by_turn();
  if (order.empty()) return std::nullopt;
  batch_ = order.front();
  if (batch_->runs < batch_->head_start) max = std::min(max, batch_->head_start - batch_->runs);
  return batch_->batching == nullptr ? std::nullopt : batch_->batching->next_batch(max);
}

void Ensemble::observe_batch(const facts::Batch& batch, std::uint64_t runs) {
  RADDLE_CHECK(batch_ != nullptr);
  batch_->runs += batch.header.runs;
  batch_->batching->observe_batch(batch, runs);
}

std::string Ensemble::guarantee() const {
  if (const Member* all = decided()) return all->search->guarantee();
  std::string text;
  for (const Member& member : members_) {
    // One that has not begun promises nothing; of those that look at everything, one is enough.
    bool first = &member == &members_.front();
    if (!first && (member.runs == 0 || !(is_complete(*member.search) || member.decides))) continue;
    if (!first && member.decides && members_.front().decides) continue;
    text += (text.empty() ? "" : "; ") + member.search->guarantee();
  }
  return text;
}

facts::SearchSize Ensemble::size() const {
  facts::SearchSize sum;
  for (const Member& member : members_) {
    if (member.measured == nullptr) continue;
    facts::SearchSize size = member.measured->size();
    sum.runs += size.runs;
    sum.blocked += size.blocked;
    sum.nodes += size.nodes;
    sum.peak_nodes += size.peak_nodes;
    sum.open += size.open;
    sum.tree_bytes += size.tree_bytes;
    sum.peak_tree_bytes += size.peak_tree_bytes;
    sum.set_bytes += size.set_bytes;
    sum.peak_set_bytes += size.peak_set_bytes;
    sum.on_disk += size.on_disk;
    sum.peak_on_disk += size.peak_on_disk;
    sum.peak_disk_bytes += size.peak_disk_bytes;
    sum.too_many_threads |= size.too_many_threads;
  }
  return sum;
}

std::optional<facts::SpaceEstimate> Ensemble::estimate() const {
  std::optional<facts::SpaceEstimate> best;
  for (const Member& member : members_) {
    auto estimate = member.decides ? member.measured->estimate() : std::nullopt;
    if (estimate && (!best || estimate->done > best->done)) best = estimate;
  }
  return best;
}

// Members do not share their sets: they look at different things.
std::vector<SiteLearning::LearnedSites> Ensemble::learned_sites() const {
  std::vector<LearnedSites> all;
  for (std::size_t i = 0; i < members_.size(); ++i)
    for (LearnedSites& learned : members_[i].learning->learned_sites())
      all.push_back({set_of_member(i, learned.set), std::move(learned.sites)});
  return all;
}

void Ensemble::start_with(const KnownSites& known) {
  for (std::size_t i = 0; i < members_.size(); ++i)
    members_[i].learning->start_with(
        [&](const std::string& set) { return known(set_of_member(i, set)); });
}

Status ResumableEnsemble::save(const std::string& path, std::string_view subject) {
  RADDLE_CHECK(resumable());
  return kept().save(path, subject);
}

Status ResumableEnsemble::load(const std::string& path, std::string_view subject) {
  Member alone = std::move(members_[kept_]);
  alone.head_start = 0;
  members_.clear();
  members_.push_back(std::move(alone));
  kept_ = 0;
  return kept().load(path, subject);
}

}  // namespace raddle::search
