// SPDX-License-Identifier: Apache-2.0
//
// What programs tell a race detector: the dynamic annotations. Target side. Programs are linked
// without libtsan, so all of its functions must exist here; those that concern other tools do
// nothing. Locks are in abi_annotated_mutex.cc, the rest of ThreadSanitizer's own interface in
// abi_tsan_interface.cc.
#include "runtime/ignoring.h"
#include "runtime/order.h"
#include "runtime/race.h"
#include "runtime/runtime.h"

using namespace raddle::runtime;

namespace {

std::uintptr_t number(const volatile void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

void acquire(const volatile void* address) {
  if (running() && races_wanted()) order_stated_acquire(number(address));
}

void release(const volatile void* address) {
  if (running() && races_wanted()) order_stated_release(number(address));
}

}  // namespace

RADDLE_EXPORT void AnnotateHappensBefore(const char*, int, const volatile void* address) {
  release(address);
}
RADDLE_EXPORT void AnnotateHappensAfter(const char*, int, const volatile void* address) {
  acquire(address);
}
RADDLE_EXPORT void WTFAnnotateHappensBefore(const char*, int, const volatile void* address) {
  release(address);
}
RADDLE_EXPORT void WTFAnnotateHappensAfter(const char*, int, const volatile void* address) {
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
RADDLE_EXPORT void AnnotateIgnoreReadsBegin(const char*, int) { ignore(&Fiber::ignored_reads, 1); }
RADDLE_EXPORT void AnnotateIgnoreReadsEnd(const char*, int) { ignore(&Fiber::ignored_reads, -1); }
RADDLE_EXPORT void AnnotateIgnoreWritesBegin(const char*, int) {
  ignore(&Fiber::ignored_writes, 1);
}
RADDLE_EXPORT void AnnotateIgnoreWritesEnd(const char*, int) { ignore(&Fiber::ignored_writes, -1); }
RADDLE_EXPORT void AnnotateIgnoreSyncBegin(const char*, int) { ignore(&Fiber::ignored_sync, 1); }
RADDLE_EXPORT void AnnotateIgnoreSyncEnd(const char*, int) { ignore(&Fiber::ignored_sync, -1); }
// Of all that the thread does, for code that was written without the interface.
RADDLE_EXPORT void __tsan_ignore_thread_begin() { ignore_all(1); }
RADDLE_EXPORT void __tsan_ignore_thread_end() { ignore_all(-1); }

RADDLE_EXPORT void AnnotateBenignRaceSized(const char*, int, const volatile void* address,
                                           unsigned long size, const char*) {
  if (!off()) accept_races(number(address), size);
}
RADDLE_EXPORT void AnnotateBenignRace(const char*, int, const volatile void* address, const char*) {
  if (!off()) accept_races(number(address), 1);
}
RADDLE_EXPORT void WTFAnnotateBenignRaceSized(const char*, int, const volatile void* address,
                                              unsigned long size, const char*) {
  if (!off()) accept_races(number(address), size);
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
RADDLE_EXPORT void AnnotateMemoryIsInitialized(const char*, int, const volatile void*,
                                               unsigned long) {}
RADDLE_EXPORT void AnnotateMemoryIsUninitialized(const char*, int, const volatile void*,
                                                 unsigned long) {}
RADDLE_EXPORT void AnnotateNoOp(const char*, int, const volatile void*) {}
