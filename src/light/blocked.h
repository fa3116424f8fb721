// SPDX-License-Identifier: Apache-2.0
//
// Whether a thread is blocked. Inside the program under test (RADDLE_LIGHT), under the lock of the
// enforcer.
//
// A thread is blocked while it waits for what nobody is about to do. In detail:
//
// - In a condition, semaphore, barrier, join or futex: from the moment it was noted, until somebody
//   signals, posts, arrives, ends or changes the value. If it is not clear whose wait that ended,
//   the kernel is asked; until it says that the thread sleeps at that object, the answer is
//   `unsure`.
// - At a mutex, reader-writer lock or once-control, which may be an inner lock that is free the
// next
//   moment: only while every thread that has it is itself blocked or held back by the schedule.
//   glibc notes the owner of a mutex in it.
// - A thread that waits where the library does not see it (blocking I/O, a lock inside libc), or
// for
//   a lock whose owner does, is blocked once the kernel has shown it asleep at the same place,
//   without having run meanwhile, for kStableNs.
//
// Asleep for a time (nanosleep) is not blocked, held back by the schedule is not blocked either.
#pragma once

#include "light/threads.h"

namespace raddle::light {

inline constexpr std::int64_t kStableNs = 10'000'000;

enum class Blocked : std::uint8_t {
  no,
  unsure,  // ask again in a while: nobody tells when the answer changes
  yes,
};

// With `looks`, the kernel is asked about threads that are in no wait that the library knows.
Blocked blocked(Thread& thread, bool looks);

// The kernel shows it asleep where its wait is, or, as it is about to wait, at the enforcer's
// condition; not at the enforcer's mutex.
bool sleeps_in_wait(Thread& thread, const pthread_mutex_t& own, const pthread_cond_t& before);

// The thread that the wait is for (the owner of a mutex, the thread to be joined), if it is known.
Thread* awaited(const Thread& thread);

}  // namespace raddle::light
