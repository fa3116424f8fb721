// SPDX-License-Identifier: Apache-2.0
//
// Call stacks, each kept once. Engine side.
#include "facts/event_stacks.h"

#include <algorithm>
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

void EventStacks::add_local(wire::Location where, LocalPlace place) {
  constexpr std::size_t kPlacesMax = 8;  // enough to see whether they agree
  std::vector<LocalPlace>& known = locals_[where.key()];
  if (known.size() < kPlacesMax && std::ranges::find(known, place) == known.end())
    known.push_back(place);
}

void EventStacks::add_heap_record(bool freed, std::uint32_t block, HeapRecord record) {
  (freed ? releases_ : allocations_)[block] = std::move(record);
}

const HeapRecord& EventStacks::find(const HeapRecords& records, std::uint32_t block) {
  static const HeapRecord kUnknown;
  auto found = records.find(block);
  return found == records.end() ? kUnknown : found->second;
}

// The details of the last owner are complete.
void StackFolder::close() {
  if (owner_ == Owner::event) stacks_.add(std::exchange(callers_, {}), std::exchange(locks_, {}));
  if (owner_ == Owner::heap)
    stacks_.add_heap_record(heap_.kind == wire::OpKind::freed, heap_.where.id(),
                            {heap_.thread, heap_.site, std::exchange(callers_, {})});
  callers_.clear();
  locks_.clear();
  owner_ = Owner::none;
}

void StackFolder::take(std::span<const wire::Event> stream, std::vector<wire::Event>& events) {
  for (const wire::Event& event : stream) switch (event.kind) {
      case wire::OpKind::frame:
        if (owner_ != Owner::none) callers_.push_back(event.site);
        break;
      case wire::OpKind::held:
        if (owner_ != Owner::none) locks_.push_back(event.where);
        break;
      case wire::OpKind::local:
        stacks_.add_local(event.where, {event.site, static_cast<std::int32_t>(event.value)});
        break;
      case wire::OpKind::allocated:
      case wire::OpKind::freed:
        close();
        owner_ = Owner::heap;
        heap_ = event;
        break;
      default:
        close();
        owner_ = Owner::event;
        events.push_back(event);
    }
}

EventStacks StackFolder::finish() {
  close();
  return std::exchange(stacks_, {});
}

}  // namespace raddle::facts
