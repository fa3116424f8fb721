// SPDX-License-Identifier: Apache-2.0
//
// See leftovers.h. Engine side, in the program's process.
#include "check/leftovers.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace raddle::check {

void Leftovers::look(std::span<const wire::Module> modules) {
  if (!state_ && !blind_) {
    auto state = GlobalsSnapshot::take(modules);
    blind_ = !state;
    if (state)
      state_.emplace(std::move(*state));
    else
      globals_.push_back(state.error().message);
  } else {
    look_at_globals();
  }
  look_at_objects();
}

void Leftovers::look_at_globals() {
  if (!state_) return;
  for (const ChangedGlobal& changed : state_->differences()) {
    std::string text = changed.text();
    if (std::ranges::find(globals_, text) == globals_.end()) globals_.push_back(text);
  }
}

void Leftovers::look_at_objects() {
  constexpr std::uint32_t kObjectsMax = 64;
  wire::Undestroyed rows[kObjectsMax];
  std::uint32_t count = raddle_in_process_undestroyed(rows, kObjectsMax);
  std::set<std::pair<SiteId, wire::Undestroyed::Kind>> left;  // one place may leave several
  for (std::uint32_t i = 0; i < count; ++i) left.insert({rows[i].site, rows[i].kind});
  for (const auto& object : left) ++objects_[object];
}

std::vector<wire::Undestroyed> Leftovers::undestroyed() const {
  std::vector<wire::Undestroyed> found;
  for (const auto& [object, runs] : objects_)
    if (runs > 1) found.push_back({object.first, object.second});
  return found;
}

std::string undestroyed_text(wire::Undestroyed::Kind kind, const std::string& place) {
  using Kind = wire::Undestroyed::Kind;
  const char* what = "lock";
  if (kind == Kind::condvar) what = "condition variable";
  if (kind == Kind::semaphore) what = "semaphore";
  if (kind == Kind::barrier) what = "barrier";
  return fmt::format("{} initialised at {} is never destroyed", what, place);
}

}  // namespace raddle::check
