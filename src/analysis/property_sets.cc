// SPDX-License-Identifier: Apache-2.0
//
// See property_sets.h. Engine side; pure.
#include "analysis/property_sets.h"

#include <algorithm>

namespace raddle::analysis {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

constexpr std::size_t index(AccessCriterion criterion) {
  return static_cast<std::size_t>(criterion);
}

void add_size(CriterionRun& result, const Count& count) {
  result.size = result.size.value_or(Count()) + count;
}

}  // namespace

PropertySets::PropertySets(const AccessTrace& trace, std::span<const wire::Event> events)
    : trace_(trace), order_(trace.accesses(), events) {}

void PropertySets::find(std::span<CriterionRun> results) {
  for (CriterionRun& result : results) add_size(result, 0);
  order_sizes(results);
  for (std::size_t variable = 0; variable < trace_.variables(); ++variable) {
    sizes(variable, results);
    predict(variable, results);
  }
  if (work_ <= kPredictWorkMax) return;
  for (AccessCriterion cut : {AccessCriterion::pinv, AccessCriterion::def_use,
                              AccessCriterion::lr_inv, AccessCriterion::lr_def})
    results[index(cut)].truncated = true;
}

void PropertySets::order_sizes(std::span<CriterionRun> results) const {
  std::vector<std::uint64_t> counts(trace_.slots(), 0);
  for (const Access& access : trace_.accesses())
    if (!access.further) ++counts[access.slot];
  Count all = 1, pairs = 0;
  std::uint64_t rest = 0;
  for (std::uint64_t count : counts) {
    rest += count;
    all *= Count::binomial(rest, count);
  }
  if (counts.size() > kSizedThreadsMax) {
    counts.resize(kSizedThreadsMax);
    results[index(AccessCriterion::tpair)].truncated = true;
  }
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (std::size_t j = i + 1; j < counts.size(); ++j)
      pairs += Count::binomial(counts[i] + counts[j], counts[i]);
  add_size(results[index(AccessCriterion::all)], all);
  add_size(results[index(AccessCriterion::tpair)], pairs);
}

void PropertySets::sizes(std::size_t variable, std::span<CriterionRun> results) {
  numbers_.assign(trace_.slots(), {});
  Numbers sum;
  for (std::uint32_t at : trace_.of_variable(variable)) {
    const Access& access = trace_.accesses()[at];
    for (Numbers* numbers : {&numbers_[access.slot], &sum}) {
      ++numbers->accesses;
      numbers->reads += access.reads ? 1 : 0;
      numbers->writes += access.writes ? 1 : 0;
    }
  }
  // Of the threads that touch it, which are few.
  std::erase_if(numbers_, [](const Numbers& numbers) { return numbers.accesses == 0; });
  Count svar = 0, pinv = 0, def_use = sum.reads, lr_def = sum.reads;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const Numbers& own = numbers_[i];
    for (std::size_t j = i + 1; j < numbers_.size() && j < kSizedThreadsMax; ++j)
      svar += Count::binomial(own.accesses + numbers_[j].accesses, own.accesses);
    pinv += Count(own.accesses - 1) * Count(sum.accesses - own.accesses);
    def_use += Count(own.reads) * Count(sum.writes - own.writes);
    if (sum.writes > own.writes) lr_def += own.reads;
  }
  if (numbers_.size() > kSizedThreadsMax) results[index(AccessCriterion::svar)].truncated = true;
  add_size(results[index(AccessCriterion::svar)], svar);
  add_size(results[index(AccessCriterion::pinv)], pinv);
  add_size(results[index(AccessCriterion::def_use)], def_use);
  add_size(results[index(AccessCriterion::lr_def)], lr_def);
}

void PropertySets::add(AccessCriterion criterion, std::uint8_t form,
                       std::initializer_list<std::uint32_t> accesses,
                       std::span<CriterionRun> results) {
  CriterionRun& result = results[index(criterion)];
  if (result.predicted.size() >= kPredictedMax) {
    result.truncated = true;
    return;
  }
  const Access* named[3] = {};
  std::ranges::transform(accesses, named,
                         [this](std::uint32_t at) { return &trace_.accesses()[at]; });
  Property property;
  if (accesses.size() == 1) property = access_property(criterion, form, {named[0]});
  if (accesses.size() == 2) property = access_property(criterion, form, {named[0], named[1]});
  if (accesses.size() == 3)
    property = access_property(criterion, form, {named[0], named[1], named[2]});
  std::uint8_t& added = added_[property.hash];
  if (added == 0) result.predicted.push_back(property);
  added = 1;
}

void PropertySets::predict(std::size_t variable, std::span<CriterionRun> results) {
  std::vector<std::uint32_t> last(trace_.slots(), kNone), last_write(trace_.slots(), kNone);
  for (std::uint32_t at : trace_.of_variable(variable)) {
    const Access& access = trace_.accesses()[at];
    if (last[access.slot] != kNone) predict_pair(variable, last[access.slot], at, results);
    if (access.reads) predict_read(variable, last_write[access.slot], at, results);
    last[access.slot] = at;
    if (access.writes) last_write[access.slot] = at;
  }
}

void PropertySets::predict_pair(std::size_t variable, std::uint32_t first, std::uint32_t then,
                                std::span<CriterionRun> results) {
  std::span<const Access> accesses = trace_.accesses();
  bool breakable = false, can_break = false;
  for (std::uint32_t remote : trace_.of_variable(variable)) {
    const Access& other = accesses[remote];
    if (other.slot == accesses[first].slot) continue;
    if (!work()) break;
    bool breaks = unserializable(accesses[first], accesses[then], other.writes, other.reads);
    breakable |= breaks;
    if (order_.kept_out(first, remote, then)) continue;
    can_break |= breaks;
    add(AccessCriterion::pinv, 0, {first, remote, then}, results);
  }
  if (breakable) add_size(results[index(AccessCriterion::lr_inv)], 1);
  if (can_break) add(AccessCriterion::lr_inv, 0, {first, then}, results);
}

// Does some write have to come after this one (kNone: the beginning) and before the read?
bool PropertySets::overwritten(std::span<const std::uint32_t> sequence, std::uint32_t write,
                               std::uint32_t read) {
  return std::ranges::any_of(sequence, [&](std::uint32_t other) {
    return other != write && other != read && trace_.accesses()[other].writes && work() &&
           (write == kNone || order_.before(write, other)) && order_.before(other, read);
  });
}

void PropertySets::predict_read(std::size_t variable, std::uint32_t own_write, std::uint32_t read,
                                std::span<CriterionRun> results) {
  std::span<const std::uint32_t> sequence = trace_.of_variable(variable);
  std::span<const Access> accesses = trace_.accesses();
  bool elsewhere = false;
  for (std::uint32_t write : sequence) {
    const Access& other = accesses[write];
    if (!other.writes || other.slot == accesses[read].slot) continue;
    if (!work()) return;
    bool impossible =
        own_write != kNone ? order_.kept_out(own_write, write, read) : order_.before(read, write);
    if (impossible || overwritten(sequence, write, read)) continue;
    elsewhere = true;
    add(AccessCriterion::def_use, kDefinedElsewhere, {write, read}, results);
  }
  if (elsewhere) add(AccessCriterion::lr_def, kDefinedElsewhere, {read}, results);
  if (overwritten(sequence, own_write, read)) return;
  add(AccessCriterion::def_use, kDefinedHere, {read}, results);
  add(AccessCriterion::lr_def, kDefinedHere, {read}, results);
}

}  // namespace raddle::analysis
