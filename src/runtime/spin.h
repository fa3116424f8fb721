// SPDX-License-Identifier: Apache-2.0
//
// Recognises spin loops, so that the fairness filter can let others run. Target side.
//
// A thread spins when it reads the same value at the same place and site again and again and does
// nothing else in between. After kSpinReads such turns, every further turn is a yield.
//
// A thread that has given way waits in vain if nothing that others did since could end its wait:
// time may pass when all do (passing_time.h). One turn may not be enough to see a change, since a
// loop may read up to kSpinSlots variables and gives way at each. Threads that poll under a lock
// make news for each other in every turn, and need never be at the end of a turn all at once: after
// many turns neither counts any more.
#pragma once

#include "runtime/controller.h"

namespace raddle::runtime {

// Enough to leave straight-line code that reads a variable a few times alone.
inline constexpr unsigned kSpinReads = 4;

// The current thread is about to read; call before pass_point. Marks it as yielding if it spins.
void note_read(const PendingOp& op);

// The current thread has tried something that failed (try-lock, compare-exchange).
void note_failure(const PendingOp& op);

// The current thread changes something: whatever it was doing, it is not spinning. What it changes
// may be what others wait for.
inline void note_progress() {
  g.current->spin_next = 0;
  ++g.news;
  ++g.current->vain.own_news;
}

inline constexpr unsigned kVainTurns = kSpinSlots;
inline constexpr unsigned kPatience = 64;
inline constexpr unsigned kChangesInLoop = 8;  // of a thread that polls, in one turn

// The current thread gives way once more.
inline void count_turn(unsigned turns) {
  VainTurns& mine = g.current->vain;
  std::uint32_t news = g.news - mine.own_news;
  mine.turns = mine.news == news ? mine.turns + turns : 0;
  mine.era_turns = mine.era == g.era ? mine.era_turns + turns : 0;
  mine.news = news;
  mine.era = g.era;
  mine.own_at_turn = mine.own_news;
}

// Whether a thread that could run has looked often enough since something changed.
inline bool waits_in_vain(const Fiber& fiber) {
  const VainTurns& its = fiber.vain;
  if (its.era != g.era) return false;
  if (its.era_turns >= kPatience) return its.own_news - its.own_at_turn <= kChangesInLoop;
  bool nothing_new = its.news == g.news - its.own_news;
  return view_of(fiber).yielding && nothing_new && its.turns >= kVainTurns &&
         its.era_turns >= kVainTurns;
}

// Who waits may have to be seen by all others before time passes: a thread begins or ends, begins
// to wait, or time has passed.
inline void begin_era() { ++g.era; }

}  // namespace raddle::runtime
