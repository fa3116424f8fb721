// SPDX-License-Identifier: Apache-2.0
//
// The schedule in force in a plain build: holds threads back at events, notices when that can never
// end, and says why. Inside the program under test (RADDLE_LIGHT).
//
// One lock guards everything here; threads that are held back wait for one condition, which is
// notified whenever an event was passed or a thread begins to wait. Only while a block event is
// awaited whose thread is in no known wait, or while it is unsure whether a wait has ended, they
// look again after a time that doubles from 1 ms to 50 ms.
//
// A deadlock is looked for whenever a thread is held back, begins to wait or ends: all known
// threads are held back, blocked without a time limit, or have ended. If some are held back it is
// the schedule's, unless a circle of threads waits for each other: then it is the program's own, as
// it is if nobody is held back.
#pragma once

#include <atomic>
#include <cstdint>

#include "light/threads.h"

namespace raddle::light::enforcer {

inline constinit std::atomic<bool> schedule_in_force{false};

inline bool in_force() { return schedule_in_force.load(std::memory_order_seq_cst); }

class Lock {
 public:
  Lock();
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

void begin(const char* name, const char* text, unsigned flags);
void end();
const char* schedule_name();

void pass_event(const char* name);
void name_thread(const char* name);

// A wait was noted, in the thread that begins it.
void thread_waits(Thread& thread);
// The thread has nothing more to do but to end.
void end_thread(Thread& thread);
// No schedule is in force in a forked child.
void forget_after_fork();

}  // namespace raddle::light::enforcer
