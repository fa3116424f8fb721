// SPDX-License-Identifier: Apache-2.0
//
// See panel.h. Engine side.
#include "detect/panel.h"

#include <algorithm>

namespace raddle::detect {

Panel::Panel(const Settings& settings) {
  for (const Detector* detector : detectors())
    if (auto analysis = detector->make(settings))
      members_.push_back({detector, std::move(analysis)});
}

std::vector<Evidence> Panel::look_at(const facts::Run& run, bool cut) {
  std::vector<Evidence> evidence;
  for (Member& member : members_) {
    if (member.detector->told == Told::as_the_end && !cut) continue;
    std::size_t known = evidence.size();
    member.analysis->begin();
    for (const wire::Event& event : run.events) member.analysis->on_event(event);
    member.analysis->finish(run, evidence);
    for (; known < evidence.size(); ++known) evidence[known].kind = member.detector->kind;
  }
  return evidence;
}

bool Panel::needs(Needs what) const {
  return std::ranges::any_of(
      members_, [what](const Member& member) { return (member.detector->needs & what) != 0; });
}

}  // namespace raddle::detect
