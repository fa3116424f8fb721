// SPDX-License-Identifier: Apache-2.0
//
// What programs tell a race detector: ThreadSanitizer's interface (sanitizer/tsan_interface.h) and
// the older dynamic annotations. Target side. Programs are linked without libtsan, so all of its
// functions must exist here; those that concern other tools do nothing.
#include "runtime/order.h"
#include "runtime/race.h"
#include "runtime/runtime.h"

using namespace raddle::runtime;

namespace {

constexpr unsigned kTryLockFailed = 1u << 5;  // __tsan_mutex_try_lock_failed

std::uintptr_t number(const volatile void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

void acquire(const volatile void* address) {
  if (running() && races_wanted()) order_stated_acquire(number(address));
}

void release(const volatile void* address) {
  if (running() && races_wanted()) order_stated_release(number(address));
}

void change(std::uint16_t Fiber::*counter, int by) {
  if (off()) return;
  // The short ways do not ask for it: from here on the run takes the long ones.
  if (checks_quickly() || g.access_mode == AccessMode::alone) g.access_mode = AccessMode::check;
  std::uint16_t& count = g.current->*counter;
  if (by > 0)
    ++count;
  else if (count > 0)
    --count;
}

}  // namespace

RADDLE_EXPORT void __tsan_acquire(void* address) { acquire(address); }
RADDLE_EXPORT void __tsan_release(void* address) { release(address); }

// Locks of the program's own making.
RADDLE_EXPORT void __tsan_mutex_create(void*, unsigned) {}
RADDLE_EXPORT void __tsan_mutex_destroy(void*, unsigned) {}
RADDLE_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) {}
RADDLE_EXPORT void __tsan_mutex_post_lock(void* address, unsigned flags, int) {
  if ((flags & kTryLockFailed) == 0) acquire(address);
}
RADDLE_EXPORT int __tsan_mutex_pre_unlock(void* address, unsigned) {
  release(address);
  return 1;
}
RADDLE_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) {}
RADDLE_EXPORT void __tsan_mutex_pre_signal(void* address, unsigned) { release(address); }
RADDLE_EXPORT void __tsan_mutex_post_signal(void*, unsigned) {}
RADDLE_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) {}
RADDLE_EXPORT void __tsan_mutex_post_divert(void*, unsigned) {}

RADDLE_EXPORT void AnnotateHappensBefore(const char*, int, const volatile void* address) {
  release(address);
}
RADDLE_EXPORT void AnnotateHappensAfter(const char*, int, const volatile void* address) {
  acquire(address);
}
RADDLE_EXPORT void AnnotateCondVarSignal(const char*, int, const volatile void* address) {
  release(address);
}
RADDLE_EXPORT void AnnotateCondVarSignalAll(const char*, int, const volatile void* address) {
  release(address);
}
RADDLE_EXPORT void AnnotateCondVarWait(const char*, int, const volatile void* address,
                                       const volatile void*) {
  acquire(address);
}
RADDLE_EXPORT void AnnotateRWLockCreate(const char*, int, const volatile void*) {}
RADDLE_EXPORT void AnnotateRWLockCreateStatic(const char*, int, const volatile void*) {}
RADDLE_EXPORT void AnnotateRWLockDestroy(const char*, int, const volatile void*) {}
RADDLE_EXPORT void AnnotateRWLockAcquired(const char*, int, const volatile void* lock, long) {
  acquire(lock);
}
RADDLE_EXPORT void AnnotateRWLockReleased(const char*, int, const volatile void* lock, long) {
  release(lock);
}

RADDLE_EXPORT void AnnotateIgnoreReadsBegin(const char*, int) { change(&Fiber::ignored_reads, 1); }
RADDLE_EXPORT void AnnotateIgnoreReadsEnd(const char*, int) { change(&Fiber::ignored_reads, -1); }
RADDLE_EXPORT void AnnotateIgnoreWritesBegin(const char*, int) {
  change(&Fiber::ignored_writes, 1);
}
RADDLE_EXPORT void AnnotateIgnoreWritesEnd(const char*, int) { change(&Fiber::ignored_writes, -1); }
RADDLE_EXPORT void AnnotateIgnoreSyncBegin(const char*, int) {}
RADDLE_EXPORT void AnnotateIgnoreSyncEnd(const char*, int) {}

RADDLE_EXPORT void AnnotateBenignRaceSized(const char*, int, const volatile void* address,
                                           unsigned long size, const char*) {
  if (!off()) accept_races(number(address), size);
}
RADDLE_EXPORT void AnnotateBenignRace(const char*, int, const volatile void* address, const char*) {
  if (!off()) accept_races(number(address), 1);
}
RADDLE_EXPORT void AnnotateNewMemory(const char*, int, const volatile void* address,
                                     unsigned long size) {
  if (running()) forget_shadow(number(address), size);
}

RADDLE_EXPORT void AnnotateExpectRace(const char*, int, const volatile void*, const char*) {}
RADDLE_EXPORT void AnnotateFlushExpectedRaces(const char*, int) {}
RADDLE_EXPORT void AnnotateFlushState(const char*, int) {}
RADDLE_EXPORT void AnnotateTraceMemory(const char*, int, const volatile void*) {}
RADDLE_EXPORT void AnnotateMutexIsNotPHB(const char*, int, const volatile void*) {}
RADDLE_EXPORT void AnnotateMutexIsUsedAsCondVar(const char*, int, const volatile void*) {}
RADDLE_EXPORT void AnnotatePCQCreate(const char*, int, const volatile void*) {}
RADDLE_EXPORT void AnnotatePCQDestroy(const char*, int, const volatile void*) {}
RADDLE_EXPORT void AnnotatePCQPut(const char*, int, const volatile void* queue) { release(queue); }
RADDLE_EXPORT void AnnotatePCQGet(const char*, int, const volatile void* queue) { acquire(queue); }
RADDLE_EXPORT void AnnotatePublishMemoryRange(const char*, int, const volatile void*,
                                              unsigned long) {}
RADDLE_EXPORT void AnnotateUnpublishMemoryRange(const char*, int, const volatile void*,
                                                unsigned long) {}
RADDLE_EXPORT void AnnotateThreadName(const char*, int, const char*) {}
RADDLE_EXPORT void AnnotateEnableRaceDetection(const char*, int, int) {}
RADDLE_EXPORT void AnnotateNoOp(const char*, int, const volatile void*) {}
