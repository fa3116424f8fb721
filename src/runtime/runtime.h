// SPDX-License-Identifier: Apache-2.0
//
// libraddle_rt: the part of raddle that lives inside the program under test. This header holds the
// ground rules and the one global state; every other file of the folder works on it.
//
// Ground rules
// - libc only. No exceptions, no RTTI, no static constructors, no C++ library at link time.
// - No allocation in hooks; every table is bounded, and a full one ends the run with a message.
// - No locks and no thread-local variables of our own: all threads of the program are fibers on one
//   kernel thread, so plain globals are enough.
// - Libc functions that we interpose are called through real.h, never by name.
// - Nothing here may depend on addresses, time or identity of the process: what a run does is a
//   function of program, input and plan.
//
// Three modes. Off: the program was started without raddle; every function passes through. Armed:
// under control, before the run begins (static constructors); objects are modelled, nothing is
// recorded. Running: inside a run.
#pragma once

#include <smmintrin.h>

#include "base/thread_set.h"
#include "model/pending_op.h"
#include "policy/filters.h"
#include "policy/policy.h"
#include "runtime/fiber.h"
#include "wire/shared_block.h"

namespace raddle::runtime {

enum class Mode : std::uint8_t { off, armed, running };

// What is done with plain accesses, from nothing to everything: counted, checked for races and heap
// errors, made events where the data is shared. Where only the end of the run is wanted, checks
// take short ways (quick_check.h), and before there is a second thread only heap errors are looked
// for.
enum class AccessMode : std::uint8_t { ignore, count_only, check, alone, quick_check, publish };

// A forced tick after so many plain accesses without a point.
inline constexpr std::int32_t kAccessesPerTick = 1 << 20;

// Where the run is recorded: the areas of the shared block that every step writes to, and how far
// they are filled. The engine reads the counters in the block, which follow these.
struct Recorder {
  wire::Event* ring;
  std::uint64_t ring_mask;
  std::uint64_t ring_head;
  std::uint64_t ring_limit;  // there is room up to here; then see extend_ring()
  wire::ChoiceRecord* schedule;
  std::uint32_t choices;
  wire::ChoiceSets* sets;  // of the choices; null: nobody asks for them
  std::uint32_t schedule_limit;
  bool stacks;  // plan.stacks
  bool quiet;   // no events: only whether there would be a noteworthy one
  bool quick;   // quiet from the beginning, and no stacks: checks may be short
};

// What makes a choice more than a question to the policy. All of it is 0 at most points, and lies
// together so that one look tells (any()).
struct alignas(16) Cares {
  std::uint32_t timers;           // threads with a deadline
  std::uint32_t yielding;         // threads that have given way
  std::uint32_t io_waiting;       // threads at an I/O op (outside.h)
  std::uint16_t at_events;        // threads at an event that a schedule may keep back (events.h)
  std::uint16_t filtered;         // not 0: filters have a say where nobody has given way, too
  std::uint64_t outside_signals;  // signals that came from other processes, a bit each
  std::uint32_t spurious_left;    // threads that may still wake from a condvar of themselves
  bool tell_policy;               // somebody counts steps that leave the policy no choice, too
  bool keep_sets;                 // record.sets is not null
  bool many_threads;              // more than one word of a ThreadSet holds
  bool ending;                    // threads are about to end the process (process_end.h)

  bool any() const {
    auto* parts = reinterpret_cast<const __m128i*>(this);
    __m128i all = _mm_or_si128(parts[0], parts[1]);
    return _mm_testz_si128(all, all) == 0;
  }
};
static_assert(sizeof(Cares) == 2 * sizeof(__m128i));

struct State {
  Mode mode;
  AccessMode access_mode;
  std::uint32_t points_from;   // so many threads have to be alive for a point; see is_point()
  bool all_points;             // plan.points == all
  bool site_points;            // some plain accesses are points
  bool races;                  // plan.races: happens-before is followed, races are reported
  bool access_made;            // the access being observed has been made: old values are gone
  bool exiting;                // exit() has begun, or quick_exit()
  bool in_process;             // runs are repeated in this process (in_process.h)
  bool awaits_all;             // the first thread waits for the end of all others
  bool noteworthy;             // of a run without events: a new place touches shared data
  bool raced;                  // of a run without events: it had a race
  std::uint32_t epoch_floor;   // epochs up to this one belong to earlier runs
  std::uint32_t alone_epoch;   // of the first thread: up to this one there was no other
  Fiber* current;              // invariant: never null once armed
  std::int32_t access_budget;  // plain accesses until a forced tick
  wire::SharedHeader* shared;
  Recorder record;

  StepIndex step;
  StepIndex max_steps;  // the next one at which somebody has to look (step_limit.h)
  ThreadId thread_count;
  ThreadId live_count;     // threads that have not finished
  ThreadId timer_threads;  // of these, those that serve timers (program_timers.h)
  ThreadId last_thread;    // who made the last step
  std::uint32_t serial;
  std::uint32_t cond_waiters;
  Cares cares;
  bool io_changed;                // an I/O call was made since cares.io_waiting were looked at
  std::uint32_t suspended_total;  // waits suspended by signal handlers, of all threads
  std::uint64_t now_ns;           // virtual time since the run's start
  std::uint32_t news;             // how often threads have changed something
  std::uint32_t era;              // how often threads began, ended, began to wait, or time passed
  bool clock_polled;              // a thread does little but read the clock
  std::uint8_t event_flags;       // flags of the step being carried out
  bool checkpoints;               // there may be one before a choice (checkpoint.h)
  policy::Policy* policy;
  policy::FilterChain filters;
  policy::FilterStorage filter_storage;
  ThreadSet enabled;
  ThreadSet allowed;  // scratch of choose()
  model::ThreadView views[kMaxThreads];
  Fiber fibers[kMaxThreads];
};

extern State g;

inline bool off() { return __builtin_expect(g.mode == Mode::off, 1); }
inline bool running() { return g.mode == Mode::running; }
// The thread and its epoch as one number, as in Access (shadow.h).
inline std::uint64_t who_and_when(const Fiber& fiber) {
  static_assert(offsetof(Fiber, id) == offsetof(Fiber, epoch) + 4);
  static_assert(offsetof(Fiber, always_zero) == offsetof(Fiber, epoch) + 6);
  std::uint64_t both;
  __builtin_memcpy(&both, &fiber.epoch, sizeof both);
  return both;
}
// Both are written at once, as they are read: processors take long to read what has just been
// written in parts. Epochs do not overflow (in_process.cc).
inline void advance_epoch(Fiber& fiber, unsigned by = 1) {
  std::uint64_t both = who_and_when(fiber) + by;
  __builtin_memcpy(&fiber.epoch, &both, sizeof both);
}
// Whether plain accesses leave traces in the shadow.
inline bool tracking() { return g.access_mode >= AccessMode::check; }
inline bool publishing() { return g.access_mode == AccessMode::publish; }
inline bool checks_quickly() { return g.access_mode == AccessMode::quick_check; }
inline model::ThreadView& view_of(const Fiber& fiber) { return *fiber.view; }

}  // namespace raddle::runtime

// Functions that the program (or its compiler) calls; everything else stays hidden.
#define RADDLE_EXPORT extern "C" __attribute__((visibility("default")))
// The instruction after the call of the hook this is used in.
#define RADDLE_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
