// SPDX-License-Identifier: Apache-2.0
//
// Misuse of synchronisation: what POSIX leaves undefined and libc lets pass, or answers with an
// error that nobody looks at. Target side. Each ends the run as a finding. What an error-checking
// or recursive mutex is asked to report is the program's own business, and what happens after
// exit() has begun (destructors of objects that threads still use) is left alone.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

// After the object is destroyed the field that told its kind says so.
inline constexpr int kDestroyedMark = -1;

// Unlocking a mutex that the current thread does not hold. Requires: it does not.
void check_unlock(const SyncObject& mutex, SiteId site);

// Destroying an object that a thread holds or waits for.
void check_destroy(const SyncObject& object, std::uintptr_t pc);

// Using an object after its end or before its beginning.
[[noreturn]] void report_dead_use(const void* object, std::uintptr_t pc);
[[noreturn]] void report_unborn_use(const void* object, std::uintptr_t pc);

// Waiting on a condition variable with another mutex than those who wait already.
void check_wait(const SyncObject& condvar, const SyncObject& mutex, SiteId site);

// Misuse of a lock of the program's own making, by what was done. `holder`: who has it for writing,
// or kNoThread. Returns where no run is going on.
enum class LockMisuse : std::uint8_t { lock, read, unlock, read_unlock, destroy, dead };
void report_lock_misuse(std::uintptr_t lock, LockMisuse misuse, ThreadId holder, std::uintptr_t pc);

// Joining or detaching a thread that is joined, detached or both. `thread` is the program's handle.
void check_join(const Fiber* target, std::uintptr_t thread, std::uintptr_t pc);

// Appends a thread's name, "T2", to the verdict's message.
void say_thread(ThreadId thread);

// The program, or the body of a test, ends well: has it forgotten a thread?
void check_leaked_threads();

}  // namespace raddle::runtime
