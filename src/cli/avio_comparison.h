// SPDX-License-Identifier: Apache-2.0
//
// AvioComparison: what AVIO in software and AVIO in hardware (analysis/avio_cache.h) see of the
// same runs, for `raddle learn --hardware`. Engine side.
#pragma once

#include <set>
#include <string>

#include "analysis/avio.h"
#include "analysis/avio_cache.h"
#include "facts/run.h"

namespace raddle::cli {

class AvioComparison {
 public:
  void add(const facts::Run& run);
  // A row for each, with the unserializable interleavings of all runs and their places of code.
  std::string table() const;

 private:
  struct Row {
    std::uint64_t instances = 0;
    std::set<SiteId> places;  // of I
  };
  void add(const analysis::Avio& avio, Row& row);

  analysis::Avio word_{analysis::Granularity::word}, line_{analysis::Granularity::line};
  analysis::AvioCache cache_;
  Row by_word_, by_line_, by_cache_;
  analysis::AvioCache::Counts counts_;
};

}  // namespace raddle::cli
