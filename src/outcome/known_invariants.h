// SPDX-License-Identifier: Apache-2.0
//
// KnownInvariants: what was learned of a program, as an answer to whether the code at a site is one
// of its invariants. Engine side.
//
// Invariants are known by the site of the memo, so they hold in other builds of the program, too,
// where the code around them is the same. Places are put into words only for sites that are asked
// about, once each.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "analysis/avio.h"
#include "detect/detector.h"
#include "facts/module_table.h"
#include "memo/memo.h"
#include "report/symbolizer.h"

namespace raddle::outcome {

const char* granularity_name(analysis::Granularity granularity);
Result<analysis::Granularity> parse_granularity(const std::string& option, const std::string& text);

class KnownInvariants {
 public:
  using Modules = std::function<std::span<const wire::Module>()>;
  // `modules`: those of the program, more when it has loaded some. Both have to stay.
  KnownInvariants(const memo::Invariants& learned, Modules modules, report::Symbolizer& symbolizer);

  bool empty() const { return sites_.empty(); }
  std::size_t size() const { return sites_.size(); }
  // How many of them the runs have come by, as far as they were asked about.
  std::size_t met() const;
  analysis::Granularity granularity() const { return granularity_; }
  bool holds(SiteId site);
  // Runs that are looked at by these settings are judged by them, if there are any; they have to
  // stay as long.
  void tell(detect::Settings& settings);

 private:
  analysis::Granularity granularity_ = analysis::Granularity::word;
  std::unordered_set<std::string> sites_;
  Modules modules_;
  report::Symbolizer& symbolizer_;
  std::unordered_map<SiteId, bool> answers_;
};

}  // namespace raddle::outcome
