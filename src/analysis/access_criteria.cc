// SPDX-License-Identifier: Apache-2.0
//
// See access_criteria.h. Engine side. Everything is found in one pass over the accesses in their
// order and one over those of each variable.
#include "analysis/access_criteria.h"

#include <algorithm>

#include "analysis/property_sets.h"

namespace raddle::analysis {
namespace {

constexpr Criterion kCriteria[kAccessCriteria] = {
    {"all", "an order of all accesses to shared data", true},
    {"tpair", "an order of the accesses of two threads", true},
    {"svar", "an order of the accesses of two threads to one variable", true},
    {"pinv", "an access of another thread between two of one thread", false},
    {"def-use", "a read, and whose write it reads", false},
    {"lr-inv", "two accesses of one thread, unserializably interleaved by any others", false},
    {"lr-def", "a read of what another thread wrote, or of what none did", false},
};

constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ull;

constexpr std::size_t index(AccessCriterion criterion) {
  return static_cast<std::size_t>(criterion);
}

// Names are well mixed: for long orders a multiplication is enough.
void extend(std::uint64_t& order, const Access& access) { order = order * kFactor + access.name; }

// The orders of the access's thread with each other one.
void extend_pairs(std::vector<std::uint64_t>& pairs, std::size_t slots, const Access& access) {
  std::size_t own = access.slot;
  if (own >= slots) return;
  for (std::size_t low = 0; low < own; ++low) extend(pairs[low * kPairThreadsMax + own], access);
  for (std::size_t high = own + 1; high < slots; ++high)
    extend(pairs[own * kPairThreadsMax + high], access);
}

Property order_property(AccessCriterion criterion, std::uint64_t order) {
  Property property;
  property.hash = add_to_hash(index(criterion) + 1, order);
  return property;
}

}  // namespace

Property access_property(AccessCriterion criterion, std::uint8_t form,
                         std::initializer_list<const Access*> accesses) {
  Property property;
  property.form = form;
  property.hash = add_to_hash(index(criterion) + 1, form);
  for (const Access* access : accesses) {
    property.hash = add_to_hash(property.hash, access->name);
    property.parts[property.count++] = {access->site, access->kind, access->thread, access->nth,
                                        access->where};
  }
  return property;
}

std::span<const Criterion> AccessCriteria::criteria() const { return kCriteria; }

void AccessCriteria::cover(AccessCriterion criterion, std::uint8_t form,
                           std::initializer_list<const Access*> accesses,
                           std::span<CriterionRun> results) {
  std::uint64_t hash = add_to_hash(index(criterion) + 1, form);
  for (const Access* access : accesses) hash = add_to_hash(hash, access->name);
  std::uint8_t& seen = seen_[hash];
  if (seen != 0) return;
  seen = 1;
  results[index(criterion)].covered.push_back(access_property(criterion, form, accesses));
}

void AccessCriteria::finish(const facts::Run& run, std::span<CriterionRun> results) {
  trace_.finish();
  seen_.clear();
  if (trace_.accesses().empty()) return;
  orders(results);
  for (std::size_t variable = 0; variable < trace_.variables(); ++variable) {
    order_of_variable(variable, results[index(AccessCriterion::svar)]);
    interleavings(variable, results);
  }
  if (trace_.truncated())
    for (CriterionRun& result : results) result.truncated = true;
  std::uint64_t run_shape = shape();
  if (shapes_.contains(run_shape)) return;
  if (shapes_.size() < kShapesMax) {
    shapes_.insert(run_shape);
    PropertySets(trace_, run.events).find(results);
  } else {
    for (CriterionRun& result : results) result.truncated = true;
  }
}

void AccessCriteria::orders(std::span<CriterionRun> results) {
  std::size_t slots = std::min(trace_.slots(), kPairThreadsMax);
  pairs_.assign(kPairThreadsMax * kPairThreadsMax, 0);
  counts_.assign(trace_.slots(), 0);
  std::uint64_t all = 0;
  for (const Access& access : trace_.accesses()) {
    if (access.further) continue;
    extend(all, access);
    ++counts_[access.slot];
    extend_pairs(pairs_, slots, access);
  }
  results[index(AccessCriterion::all)].covered.push_back(order_property(AccessCriterion::all, all));
  CriterionRun& tpair = results[index(AccessCriterion::tpair)];
  for (std::size_t low = 0; low < slots; ++low)
    for (std::size_t high = low + 1; high < slots; ++high)
      tpair.covered.push_back(
          order_property(AccessCriterion::tpair, pairs_[low * kPairThreadsMax + high]));
  if (trace_.slots() > kPairThreadsMax) tpair.truncated = true;
}

void AccessCriteria::order_of_variable(std::size_t variable, CriterionRun& result) {
  std::size_t slots = std::min(trace_.slots(), kPairThreadsMax);
  if (trace_.slots() > kPairThreadsMax) result.truncated = true;
  pairs_.assign(kPairThreadsMax * kPairThreadsMax, 0);
  counts_.assign(trace_.slots(), 0);
  for (std::uint32_t at : trace_.of_variable(variable)) {
    const Access& access = trace_.accesses()[at];
    ++counts_[access.slot];
    extend_pairs(pairs_, slots, access);
  }
  for (std::size_t low = 0; low < slots; ++low)
    for (std::size_t high = low + 1; high < slots; ++high) {
      if (counts_[low] == 0 || counts_[high] == 0) continue;
      Property property =
          order_property(AccessCriterion::svar, pairs_[low * kPairThreadsMax + high]);
      std::uint8_t& seen = seen_[property.hash];
      if (seen == 0) result.covered.push_back(property);
      seen = 1;
    }
}

void AccessCriteria::definition(const Access& read, const Access* writer,
                                std::span<CriterionRun> results) {
  bool elsewhere = writer != nullptr && writer->thread != read.thread;
  if (elsewhere)
    cover(AccessCriterion::def_use, kDefinedElsewhere, {writer, &read}, results);
  else
    cover(AccessCriterion::def_use, kDefinedHere, {&read}, results);
  cover(AccessCriterion::lr_def, elsewhere ? kDefinedElsewhere : kDefinedHere, {&read}, results);
}

void AccessCriteria::interleavings(std::size_t variable, std::span<CriterionRun> results) {
  std::span<const std::uint32_t> sequence = trace_.of_variable(variable);
  std::span<const Access> accesses = trace_.accesses();
  position_.assign(trace_.slots(), 0);
  const Access* writer = nullptr;
  for (std::uint32_t at = 0; at < sequence.size(); ++at) {
    const Access& access = accesses[sequence[at]];
    if (access.reads) definition(access, writer, results);
    if (access.writes) writer = &access;
    std::uint32_t before = position_[access.slot];
    position_[access.slot] = at + 1;
    if (before == 0 || before == at) continue;
    const Access& previous = accesses[sequence[before - 1]];
    bool written = false;
    for (std::uint32_t between = before; between < at; ++between) {
      const Access& remote = accesses[sequence[between]];
      written |= remote.writes;
      if (between - before < kBetweenMax)
        cover(AccessCriterion::pinv, 0, {&previous, &remote, &access}, results);
      else
        results[index(AccessCriterion::pinv)].truncated = true;
    }
    if (unserializable(previous, access, written, accesses[sequence[before]].reads))
      cover(AccessCriterion::lr_inv, 0, {&previous, &access}, results);
  }
}

// Equal for two runs in which every thread made the same accesses in its own order.
std::uint64_t AccessCriteria::shape() {
  shapes_by_slot_.assign(trace_.slots(), 0);
  for (const Access& access : trace_.accesses()) {
    std::uint64_t& hash = shapes_by_slot_[access.slot];
    hash = hash * kFactor + (access.name ^ mix64(access.where.key()));
  }
  std::uint64_t sum = 0;
  for (std::uint64_t hash : shapes_by_slot_) sum += mix64(hash);
  return sum;
}

}  // namespace raddle::analysis
