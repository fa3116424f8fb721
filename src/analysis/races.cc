// SPDX-License-Identifier: Apache-2.0
//
// Gathering races. Engine side.
#include "analysis/races.h"

namespace raddle::analysis {

void Races::begin() {
  found_.clear();
  index_ = 0;
}

void Races::on_event(const wire::Event& event) {
  std::size_t index = index_++;
  if (event.kind == wire::OpKind::race) found_.push_back({{}, event.thread, {event}, index});
  // The two come one after the other; a damaged stream yields no half of a pair.
  if (event.kind == wire::OpKind::race_with && !found_.empty() &&
      found_.back().events.size() == 1 && found_.back().first_index + 1 == index)
    found_.back().events.push_back(event);
}

void Races::finish(const facts::Run&, Findings& findings) {
  for (facts::Evidence& race : found_)
    if (race.events.size() == 2) findings.push_back(std::move(race));
  found_.clear();
}

}  // namespace raddle::analysis
