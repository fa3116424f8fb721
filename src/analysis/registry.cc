// SPDX-License-Identifier: Apache-2.0
//
// The only list of analyses. Engine side. To add one: write foo.{h,cc} and foo_test.cc, add a row.
#include "analysis/registry.h"

#include "analysis/avio.h"
#include "analysis/happens_before.h"
#include "analysis/livelock.h"
#include "analysis/lock_order.h"
#include "analysis/locksets.h"
#include "analysis/races.h"

namespace raddle::analysis {
namespace {

template <class T>
std::unique_ptr<Analysis> make() {
  return std::make_unique<T>();
}

constexpr Registered kAnalyses[] = {
    {"atomicity", "accesses that belong together and are interleaved so that no order explains it",
     make<Avio>},
    {"happens-before", "counts distinct behaviours: runs that differ in the order of dependent ops",
     make<HappensBefore>},
    {"livelock", "a run cut by the step limit that repeats the same ops with the same values",
     make<Livelock>},
    {"lock-order", "threads that could wait for each other's locks, in runs where they did not",
     make<LockOrder>},
    {"locksets", "data that no lock protects at all accesses (with --locksets: may be wrong)",
     make<Locksets>},
    {"races", "accesses to the same bytes that nothing orders, one of them a write", make<Races>},
};

}  // namespace

std::span<const Registered> analyses() { return kAnalyses; }

std::unique_ptr<Analysis> make_analysis(std::string_view name) {
  for (const Registered& analysis : kAnalyses)
    if (analysis.name == name) return analysis.make();
  return nullptr;
}

}  // namespace raddle::analysis
