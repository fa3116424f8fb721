// SPDX-License-Identifier: Apache-2.0
//
// Locks of the program's own making, as it tells of them (__tsan_mutex_*, AnnotateRWLock*): what
// they order, and whether they are used as locks are. Target side. The rules are ThreadSanitizer's:
// a writer may lock again, who reads is not known, and a lock need not be created. That somebody
// has to wait is the business of the code that the lock is made of, and so are points.
#pragma once

#include <cstdint>

namespace raddle::runtime {

// Flags of __tsan_mutex_*.
inline constexpr unsigned kLinkerInitialised = 1 << 0, kReadLock = 1 << 3, kTryLockFailed = 1 << 5,
                          kAllLevelsLocked = 1 << 6, kAllLevelsUnlocked = 1 << 7,
                          kNotStatic = 1 << 8;

void annotated_create(std::uintptr_t lock, unsigned flags);
void annotated_destroy(std::uintptr_t lock, unsigned flags, std::uintptr_t pc);
// The current thread has got it. `levels`: how often, with kAllLevelsLocked.
void annotated_lock(std::uintptr_t lock, unsigned flags, int levels, std::uintptr_t pc);
// It is about to give it back. Returns how often it had it, where it gives back all at once.
int annotated_unlock(std::uintptr_t lock, unsigned flags, std::uintptr_t pc);

// Between runs in one process: nothing is known of them any more.
void forget_annotated_locks();

}  // namespace raddle::runtime
