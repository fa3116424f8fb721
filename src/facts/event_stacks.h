// SPDX-License-Identifier: Apache-2.0
//
// EventStacks: the calls that led to each event of a run. Engine side. Exploring runs record none,
// for a step would cost several times as much; the confirming repetition of a finding, which takes
// the same steps, does. Most events share their stacks, so each is kept once.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "wire/event.h"

namespace raddle::facts {

// Who allocated or freed a block, and where.
struct HeapRecord {
  ThreadId thread = kNoThread;  // kNoThread: unknown
  SiteId site = 0;
  std::vector<SiteId> callers;
};

// Where a place on a stack lies in the frame of a function.
struct LocalPlace {
  SiteId site = 0;          // in the function
  std::int32_t offset = 0;  // from the end of the frame, where its caller's begins
  auto operator<=>(const LocalPlace&) const = default;
};

class EventStacks {
 public:
  // The calls on the stack at the event with this index, innermost first; sites are return
  // addresses. The event's own site comes before them. Empty if there are none or they are unknown.
  std::span<const SiteId> callers(std::size_t event) const;

  // The locks that the thread held then; known only as long as the run is not stored.
  std::span<const wire::Location> locks(std::size_t event) const;

  // The same for heap blocks, by their numbers.
  const HeapRecord& allocation(std::uint32_t block) const { return find(allocations_, block); }
  const HeapRecord& release(std::uint32_t block) const { return find(releases_, block); }

  // What is known of places on stacks, by their keys. A place may belong to one function after the
  // other.
  using Locals = std::map<std::uint64_t, std::vector<LocalPlace>>;
  const Locals& locals() const { return locals_; }
  void add_local(wire::Location where, LocalPlace place);

  void add_heap_record(bool freed, std::uint32_t block, HeapRecord record);
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

  using HeapRecords = std::map<std::uint32_t, HeapRecord>;
  static const HeapRecord& find(const HeapRecords& records, std::uint32_t block);
  HeapRecords allocations_, releases_;
  Locals locals_;
};

// Takes the details (frames, locks, allocations) out of a stream of events.
class StackFolder {
 public:
  // Appends all but those to `events`.
  void take(std::span<const wire::Event> stream, std::vector<wire::Event>& events);
  // What has been taken so far; the folder is empty again.
  EventStacks finish();

 private:
  EventStacks stacks_;
  void close();

  // What the details that come belong to: nothing, an event, or an allocation or free.
  enum class Owner { none, event, heap } owner_ = Owner::none;
  wire::Event heap_{};
  std::vector<SiteId> callers_;
  std::vector<wire::Location> locks_;
};

}  // namespace raddle::facts
