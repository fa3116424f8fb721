// SPDX-License-Identifier: Apache-2.0
//
// What the memo knows of the coverage of one program, added up over its campaigns. Engine side;
// pure: records in, numbers out.
//
// It is about the build of the last campaign that observed coverage. What other builds have shown
// counts as well where all its accesses are at sites that are in this build, too; orders of
// accesses, of which the sites are not kept, only count for the build that showed them.
//
// Campaigns come one after the other in the order in which they began: run 1 of the second one
// comes after the last of the first. Estimates are explained in analysis/saturation.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/coverage.h"
#include "analysis/saturation.h"
#include "memo/records.h"

namespace raddle::cli {

// An access of a property, as the memo has it.
struct KeptAccess {
  std::string kind;    // wire::op_word()
  std::string thread;  // "T1", "" if any
  std::uint64_t nth = 0;
  std::string site;
  std::string place;  // "bank.cpp:12", or the site if no line is known
};
// The lines of PropertyRecord::accesses; those that are none are left out.
std::vector<KeptAccess> parse_accesses(const std::string& lines);

struct UncoveredProperty {
  memo::PropertyRecord property;
  std::vector<KeptAccess> accesses;
  std::uint64_t attempts = 0, failures = 0;
  bool given_up = false;
};

struct CriterionSummary {
  std::string name;
  bool grows_long = false;
  std::string size;  // of the whole set, by formula; "" if there is none
  std::uint64_t known = 0, covered = 0, untested = 0, given_up = 0;
  bool at_least = false;     // limits hid some
  std::uint64_t runs = 0;    // that were observed
  std::uint64_t recent = 0;  // so many of the last of these
  std::uint64_t added = 0;   // have covered so much that was new
  analysis::SaturationEstimate estimate;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> growth;  // run, covered: where it grew
  std::vector<UncoveredProperty> uncovered;                     // by their accesses
};

struct CoverageSummary {
  memo::ProgramRecord program;
  std::uint64_t campaigns = 0;
  std::vector<CriterionSummary> criteria;  // in the order of the observers, then by name
};

inline constexpr std::uint64_t kRecentRuns = 500;
// A property that was tried for in vain so often, and has never shown, is given up.
inline constexpr std::uint64_t kGivenUpAfter = 3;

// Nothing if no campaign of the program at this path has observed coverage.
std::optional<CoverageSummary> summarize_coverage(const std::vector<memo::Record>& records,
                                                  const std::string& path);

}  // namespace raddle::cli
