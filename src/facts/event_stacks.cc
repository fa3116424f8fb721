// SPDX-License-Identifier: Apache-2.0
//
// Call stacks, each kept once. Engine side.
#include "facts/event_stacks.h"

#include <utility>

namespace raddle::facts {

std::span<const SiteId> EventStacks::callers(std::size_t event) const {
  if (event >= stack_of_event_.size()) return {};
  return stacks_[stack_of_event_[event]];
}

std::span<const wire::Location> EventStacks::locks(std::size_t event) const {
  auto found = locks_.find(event);
  return found == locks_.end() ? std::span<const wire::Location>() : found->second;
}

void EventStacks::add(std::vector<SiteId> callers, std::vector<wire::Location> locks) {
  if (!locks.empty()) locks_.emplace(stack_of_event_.size(), std::move(locks));
  auto next = static_cast<std::uint32_t>(stacks_.size());
  auto [entry, fresh] = index_.try_emplace(callers, next);
  if (fresh) stacks_.push_back(std::move(callers));
  stack_of_event_.push_back(entry->second);
}

void StackFolder::take(std::span<const wire::Event> stream, std::vector<wire::Event>& events) {
  for (const wire::Event& event : stream) {
    if (event.kind == wire::OpKind::frame) {
      if (open_) callers_.push_back(event.site);
      continue;
    }
    if (event.kind == wire::OpKind::held) {
      if (open_) locks_.push_back(event.where);
      continue;
    }
    if (open_) stacks_.add(std::exchange(callers_, {}), std::exchange(locks_, {}));
    open_ = true;
    events.push_back(event);
  }
}

EventStacks StackFolder::finish() {
  if (open_) stacks_.add(std::exchange(callers_, {}), std::exchange(locks_, {}));
  open_ = false;
  return std::exchange(stacks_, {});
}

}  // namespace raddle::facts
