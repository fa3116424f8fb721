// SPDX-License-Identifier: Apache-2.0
//
// What programs tell of locks of their own making: ThreadSanitizer's functions, and the older ones.
// Target side. What the code of the lock itself does, between the first and the second call of a
// pair, is not looked at: neither its accesses nor what they order.
#include "runtime/annotated_locks.h"
#include "runtime/ignoring.h"

using namespace raddle::runtime;

namespace {

std::uintptr_t number(const volatile void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

}  // namespace

RADDLE_EXPORT void __tsan_mutex_create(void* lock, unsigned flags) {
  if (!off()) annotated_create(number(lock), flags);
}
RADDLE_EXPORT void __tsan_mutex_destroy(void* lock, unsigned flags) {
  if (!off()) annotated_destroy(number(lock), flags, RADDLE_CALLER);
}
RADDLE_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) { ignore_all(1); }
RADDLE_EXPORT void __tsan_mutex_post_lock(void* lock, unsigned flags, int levels) {
  ignore_all(-1);
  if (!off() && (flags & kTryLockFailed) == 0)
    annotated_lock(number(lock), flags, levels, RADDLE_CALLER);
}
RADDLE_EXPORT int __tsan_mutex_pre_unlock(void* lock, unsigned flags) {
  int levels = off() ? 1 : annotated_unlock(number(lock), flags, RADDLE_CALLER);
  ignore_all(1);
  return levels;
}
RADDLE_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) { ignore_all(-1); }
RADDLE_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) { ignore_all(1); }
RADDLE_EXPORT void __tsan_mutex_post_signal(void*, unsigned) { ignore_all(-1); }
// The lock's code calls something else for a while.
RADDLE_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) { ignore_all(-1); }
RADDLE_EXPORT void __tsan_mutex_post_divert(void*, unsigned) { ignore_all(1); }

RADDLE_EXPORT void AnnotateRWLockCreate(const char*, int, const volatile void* lock) {
  if (!off()) annotated_create(number(lock), kNotStatic);
}
RADDLE_EXPORT void AnnotateRWLockCreateStatic(const char*, int, const volatile void* lock) {
  if (!off()) annotated_create(number(lock), kLinkerInitialised);
}
RADDLE_EXPORT void AnnotateRWLockDestroy(const char*, int, const volatile void* lock) {
  if (!off()) annotated_destroy(number(lock), 0, RADDLE_CALLER);
}
RADDLE_EXPORT void AnnotateRWLockAcquired(const char*, int, const volatile void* lock,
                                          long for_writing) {
  if (!off()) annotated_lock(number(lock), for_writing != 0 ? 0 : kReadLock, 1, RADDLE_CALLER);
}
RADDLE_EXPORT void AnnotateRWLockReleased(const char*, int, const volatile void* lock,
                                          long for_writing) {
  if (!off()) annotated_unlock(number(lock), for_writing != 0 ? 0 : kReadLock, RADDLE_CALLER);
}
