// SPDX-License-Identifier: Apache-2.0
//
// EventStacks: the calls that led to each event of a run. Engine side. Exploring runs record none,
// for a step would cost several times as much; the confirming repetition of a finding, which takes
// the same steps, does. Most events share their stacks, so each is kept once.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "wire/event.h"

namespace raddle::facts {

class EventStacks {
 public:
  // The calls on the stack at the event with this index, innermost first; sites are return
  // addresses. The event's own site comes before them. Empty if there are none or they are unknown.
  std::span<const SiteId> callers(std::size_t event) const;

  // The locks that the thread held then; known only as long as the run is not stored.
  std::span<const wire::Location> locks(std::size_t event) const;

  // The next event's.
  void add(std::vector<SiteId> callers, std::vector<wire::Location> locks = {});

  std::size_t events() const { return stack_of_event_.size(); }
  const std::vector<std::vector<SiteId>>& stacks() const { return stacks_; }
  const std::vector<std::uint32_t>& stack_of_event() const { return stack_of_event_; }

 private:
  std::vector<std::vector<SiteId>> stacks_;
  std::map<std::vector<SiteId>, std::uint32_t> index_;
  std::vector<std::uint32_t> stack_of_event_;
  std::map<std::size_t, std::vector<wire::Location>> locks_;  // of events with any
};

// Takes the frames and locks out of a stream of events.
class StackFolder {
 public:
  // Appends all but those to `events`.
  void take(std::span<const wire::Event> stream, std::vector<wire::Event>& events);
  // What has been taken so far; the folder is empty again.
  EventStacks finish();

 private:
  EventStacks stacks_;
  std::vector<SiteId> callers_;  // of the last event
  std::vector<wire::Location> locks_;
  bool open_ = false;  // there is a last event
};

}  // namespace raddle::facts
