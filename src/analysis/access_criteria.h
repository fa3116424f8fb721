// SPDX-License-Identifier: Apache-2.0
//
// The seven coverage criteria of Lu, "Understanding, Detecting and Exposing Concurrency Bugs"
// (2008), chapter 6, observed over the accesses of a run (analysis/access_trace.h). Engine side.
//
//   all      the order of all accesses
//   tpair    the order of the accesses of two threads
//   svar     the order of the accesses of two threads to one variable
//   pinv     two accesses of a thread to a variable, the next after the other, and one of another
//            thread to it in between
//   def-use  a read, and the other thread's write that it reads from; or (form 0) that it reads
//            what its own thread wrote or was there in the beginning
//   lr-inv   two such accesses as of pinv, with others in between that make them unserializable
//   lr-def   a read that reads what another thread wrote (form 1), or not (form 0)
//
// Deviations: variables that one thread alone touches are left out, and so is what the criteria say
// about a thread without accesses, which holds in every run. Memory is free of neither order nor
// repetition, so limits hold: kPairThreadsMax threads for tpair and svar, kBetweenMax accesses
// between two for pinv; beyond them the result is marked as truncated.
//
// Which properties there are at all is a matter of the accesses of each thread and not of their
// order, so it is looked into for runs whose accesses are new (analysis/property_sets.h), at most
// kShapesMax of them.
#pragma once

#include <unordered_set>

#include "analysis/access_trace.h"
#include "analysis/coverage.h"

namespace raddle::analysis {

enum class AccessCriterion : std::uint8_t { all, tpair, svar, pinv, def_use, lr_inv, lr_def };
inline constexpr std::size_t kAccessCriteria = 7;

inline constexpr std::size_t kPairThreadsMax = 16;
inline constexpr std::size_t kBetweenMax = 64;
inline constexpr std::size_t kShapesMax = 32;

// The forms of def-use and lr-def.
inline constexpr std::uint8_t kDefinedHere = 0;
inline constexpr std::uint8_t kDefinedElsewhere = 1;

// The property of these accesses, in the order in which they are to happen.
Property access_property(AccessCriterion criterion, std::uint8_t form,
                         std::initializer_list<const Access*> accesses);

class AccessCriteria final : public CoverageObserver {
 public:
  std::span<const Criterion> criteria() const override;
  void begin() override { trace_.begin(); }
  void on_event(const wire::Event& event) override { trace_.on_event(event); }
  void finish(const facts::Run& run, std::span<CriterionRun> results) override;

 private:
  void orders(std::span<CriterionRun> results);
  void order_of_variable(std::size_t variable, CriterionRun& result);
  void interleavings(std::size_t variable, std::span<CriterionRun> results);
  void definition(const Access& read, const Access* writer, std::span<CriterionRun> results);
  void cover(AccessCriterion criterion, std::uint8_t form,
             std::initializer_list<const Access*> accesses, std::span<CriterionRun> results);
  std::uint64_t shape();

  AccessTrace trace_;
  EpochMap<std::uint8_t> seen_;          // hashes covered in this run
  std::vector<std::uint64_t> pairs_;     // kPairThreadsMax squared
  std::vector<std::uint32_t> counts_;    // accesses by slot
  std::vector<std::uint32_t> position_;  // by slot: of the last access to the variable, + 1
  std::vector<std::uint64_t> shapes_by_slot_;
  std::unordered_set<std::uint64_t> shapes_;
};

}  // namespace raddle::analysis
