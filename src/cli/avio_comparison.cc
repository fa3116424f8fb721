// SPDX-License-Identifier: Apache-2.0
//
// See avio_comparison.h. Engine side.
#include "cli/avio_comparison.h"

#include <fmt/core.h>

#include "cli/progress.h"

namespace raddle::cli {

void AvioComparison::add(const analysis::Avio& avio, Row& row) {
  for (const analysis::Interleaving& each : avio.interleavings()) {
    row.instances += each.count;
    row.places.insert(each.i);
  }
}

void AvioComparison::add(const facts::Run& run) {
  word_.begin();
  line_.begin();
  cache_.begin();
  for (const wire::Event& event : run.events) {
    word_.on_event(event);
    line_.on_event(event);
    cache_.on_event(event);
  }
  add(word_, by_word_);
  add(line_, by_line_);
  for (const analysis::AvioCache::Report& report : cache_.reports()) {
    by_cache_.instances += report.count;
    by_cache_.places.insert(report.i);
  }
  counts_.accesses += cache_.counts().accesses;
  counts_.l1_misses += cache_.counts().l1_misses;
  counts_.displaced += cache_.counts().displaced;
}

std::string AvioComparison::table() const {
  auto line = [](const char* name, const Row& row) {
    return fmt::format("{:<22}{:>14}{:>9}\n", name, group_digits(row.instances),
                       group_digits(row.places.size()));
  };
  std::string text = fmt::format("{:<22}{:>14}{:>9}\n", "", "interleavings", "places");
  text += line("AVIO-S, words", by_word_);
  text += line("AVIO-S, cache lines", by_line_);
  text += line("AVIO-H, 4 cores", by_cache_);
  return text + fmt::format(
                    "caches: {} accesses to shared data, {} not served by the first level, "
                    "{} lines displaced\n",
                    group_digits(counts_.accesses), group_digits(counts_.l1_misses),
                    group_digits(counts_.displaced));
}

}  // namespace raddle::cli
