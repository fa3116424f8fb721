// SPDX-License-Identifier: Apache-2.0
//
// What the accesses of a run could do in other orders: how large the property sets of the seven
// criteria (analysis/access_criteria.h) are, and which properties of the four that are not
// exponential some schedule may show. Engine side.
//
// The sizes are the formulas of Lu 2008, section 6.3, which ask for nothing but the numbers of
// accesses: no synchronisation makes them smaller. For lr-inv and lr-def, where it gives bounds,
// they count the pairs that some access of another thread could make unserializable, and the reads
// with those of them that another thread could define.
//
// Predictions leave out what the program's order and its locks forbid (analysis/access_order.h).
// They assume that another order leads to the same accesses, which need not be.
#pragma once

#include "analysis/access_criteria.h"
#include "analysis/access_order.h"

namespace raddle::analysis {

inline constexpr std::size_t kPredictedMax = 4096;       // of one criterion, from one run
inline constexpr std::size_t kPredictWorkMax = 100'000;  // comparisons for one run
inline constexpr std::size_t kSizedThreadsMax = 256;

class PropertySets {
 public:
  // Requires: the trace is finished, and of these events.
  PropertySets(const AccessTrace& trace, std::span<const wire::Event> events);

  // Adds sizes and predictions, one result a criterion.
  void find(std::span<CriterionRun> results);

 private:
  // Of one thread, at one variable or altogether.
  struct Numbers {
    std::uint64_t accesses = 0, reads = 0, writes = 0;
  };

  void order_sizes(std::span<CriterionRun> results) const;
  void sizes(std::size_t variable, std::span<CriterionRun> results);
  void predict(std::size_t variable, std::span<CriterionRun> results);
  void predict_pair(std::size_t variable, std::uint32_t first, std::uint32_t then,
                    std::span<CriterionRun> results);
  void predict_read(std::size_t variable, std::uint32_t own_write, std::uint32_t read,
                    std::span<CriterionRun> results);
  bool overwritten(std::span<const std::uint32_t> sequence, std::uint32_t write,
                   std::uint32_t read);
  bool work() { return ++work_ <= kPredictWorkMax; }
  void add(AccessCriterion criterion, std::uint8_t form,
           std::initializer_list<std::uint32_t> accesses, std::span<CriterionRun> results);

  const AccessTrace& trace_;
  AccessOrder order_;
  std::vector<Numbers> numbers_;  // by slot, of one variable
  EpochMap<std::uint8_t> added_;
  std::size_t work_ = 0;
};

}  // namespace raddle::analysis
