// SPDX-License-Identifier: Apache-2.0
//
// Event: the record of one step, or of an access observed beside the schedule. Written by the
// target into the ring, read by the engine; the stream of a run is a function of program, input and
// plan, byte for byte.
#pragma once

#include "wire/op.h"

namespace raddle::wire {

enum EventFlags : std::uint8_t {
  kEventStep = 1,        // a point was passed: the step counter advanced
  kEventSwitched = 2,    // another thread ran before this one
  kEventChoice = 4,      // more than one thread was enabled (or a value was chosen)
  kEventRemembered = 8,  // an earlier access, published when another thread came to its data
  kEventConflict = 32,   // a plain access that another thread's could be exchanged with: its site
                         // touches shared data and should become a point
  kEventGaveWay = 64,    // with Plan::systematic: the thread had to wait for others to move first,
                         // as it spins or yields; of a pending operation: it still has to
  kEventFailed = 16,     // try-lock refused, compare-exchange lost, wait timed out
  kEventVague = 128,  // with kEventRemembered: since then the thread has accessed the data in the
                      // same way elsewhere, before its next step
};

struct Event {
  Location where;       // the object or the bytes concerned
  std::uint64_t value;  // loaded value, value before a store; pack_caller() for the rest
  SiteId site;
  StepIndex step;  // index of this step; of the last one if it is none
  ThreadId thread;
  OpKind kind;
  std::uint8_t flags;
  std::uint16_t size;  // bytes accessed, 0 for synchronisation
  std::uint8_t order;  // memory order of an atomic, as __ATOMIC_*; of an rwlock_unlock: kReadSide
  std::uint8_t reserved;
};
static_assert(sizeof(Event) == 32);

// With Plan::stacks, so many `frame` events at most follow every other one: a call on the stack
// each, innermost first; a `held` event for each lock held; and, if it is about a place on a stack,
// a `local` event: the place, a site in the function whose frame that is, and as its value how far
// beyond the frame's end it lies (as a rule that is negative). Allocations and frees are recorded
// too, with their stacks. All of these are no part of the stream that two runs of a plan agree in.
inline constexpr unsigned kEventFramesMax = 24;

// A `race` event is an access that raced, and the `race_with` event after it the earlier access it
// raced with; their `order` holds these bits. The value of the latter is what the bytes hold; it is
// not known if the event is marked kEventRemembered.
enum RaceBits : std::uint8_t { kRaceWrite = 1, kRaceAtomic = 2, kRaceFree = 4 };

// The value of an event about threads or synchronisation: the thread created or joined, and the
// innermost instrumented caller of the function that the site lies in (0: unknown).
constexpr std::uint64_t pack_caller(SiteId caller, ThreadId other = 0) {
  return (std::uint64_t{caller} << 32) | other;
}
constexpr SiteId caller_of(const Event& event) { return static_cast<SiteId>(event.value >> 32); }
constexpr ThreadId other_of(const Event& event) { return static_cast<ThreadId>(event.value); }

// An `event` event is followed by the name of the event: `event_name` events that hold so many
// characters each, the last one zeros after its end.
inline constexpr unsigned kEventNameChunk = sizeof(Location) + sizeof(std::uint64_t);

// The step of a choice in a schedule written by hand: replay does not compare it. OpKind::none and
// 0 enabled threads mean the same for the other two fields.
inline constexpr StepIndex kAnyStep = 0xffffffff;

// One recorded choice of a run: at `step`, `picked` was taken among several enabled threads, or as
// the value of a value choice.
struct ChoiceRecord {
  StepIndex step;
  std::uint16_t picked;
  OpKind kind;           // the op that the picked thread carries out; OpKind::value for values
  std::uint8_t enabled;  // how many could have been picked (255: that many or more)
  friend constexpr bool operator==(const ChoiceRecord&, const ChoiceRecord&) = default;
};
static_assert(sizeof(ChoiceRecord) == 8);

// With Plan::systematic, what a search has to know about a choice beside its record. Threads from
// kSearchedThreads on are in no set.
struct ChoiceSets {
  std::uint64_t enabled;      // the threads that could be picked; none for a value
  std::uint64_t asleep;       // of all threads: those that the policy keeps from running
  std::uint32_t preemptions;  // before the choice
  ThreadId current;           // who ran last
  std::uint8_t voluntary;     // the thread that ran last has given way: leaving it is no preemption
  std::uint8_t reserved;
};
static_assert(sizeof(ChoiceSets) == 24);
inline constexpr ThreadId kSearchedThreads = 64;

// A `pending` event, at the end of a run with Plan::systematic: what a live thread would have done
// next. Its `order` holds the kind of operation, `reserved` the operation's own order, its value
// the key() of the second object, if any. It is marked kEventChoice if the thread could have gone
// on.

}  // namespace raddle::wire
