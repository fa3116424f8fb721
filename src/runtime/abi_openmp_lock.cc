// SPDX-License-Identifier: Apache-2.0
//
// Locks of OpenMP: critical, atomic and the omp_*_lock functions. Target side. They are mutexes,
// found by address: omp_lock_t is a plain int. What OpenMP leaves undefined for them is what POSIX
// leaves undefined for mutexes, and is reported alike.
#include "runtime/misuse.h"
#include "runtime/openmp.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;
using raddle::model::MutexType;
using raddle::model::ObjectKind;

// As in gcc's omp.h.
struct OmpLock {
  int word;
};
struct OmpNestLock {
  int word;
  int count;
  void* owner;
};
// These names appear in reports.
int openmp_critical;
int openmp_atomic;

namespace {

SyncObject& lock_at(const void* address) {
  return object_at(reinterpret_cast<std::uintptr_t>(address), ObjectKind::mutex);
}

SyncObject& nest_lock_at(const void* address) {
  SyncObject& object = lock_at(address);
  object.mutex.type = MutexType::recursive;
  return object;
}

void acquire(SyncObject& lock, std::uintptr_t pc) {
  raddle::runtime::openmp::self();
  lock_mutex(lock, OpKind::mutex_lock, 0, pc);
}

void begin_life(const void* address) { lock_at(address).mutex = {}; }

void end_life(const void* address, std::uintptr_t pc) {
  check_destroy(lock_at(address), pc);
  lock_at(address).mutex = {};
}

}  // namespace

RADDLE_EXPORT void GOMP_critical_start() {
  if (off()) return RADDLE_LIBGOMP(GOMP_critical_start)();
  acquire(lock_at(&openmp_critical), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_critical_end() {
  if (off()) return RADDLE_LIBGOMP(GOMP_critical_end)();
  unlock_mutex(lock_at(&openmp_critical), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_critical_name_start(void** name) {
  if (off()) return RADDLE_LIBGOMP(GOMP_critical_name_start)(name);
  acquire(lock_at(name), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_critical_name_end(void** name) {
  if (off()) return RADDLE_LIBGOMP(GOMP_critical_name_end)(name);
  unlock_mutex(lock_at(name), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_atomic_start() {
  if (off()) return RADDLE_LIBGOMP(GOMP_atomic_start)();
  acquire(lock_at(&openmp_atomic), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_atomic_end() {
  if (off()) return RADDLE_LIBGOMP(GOMP_atomic_end)();
  unlock_mutex(lock_at(&openmp_atomic), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void omp_init_lock(OmpLock* lock) {
  if (off()) return RADDLE_LIBGOMP(omp_init_lock)(lock);
  begin_life(lock);
}

RADDLE_EXPORT void omp_destroy_lock(OmpLock* lock) {
  if (off()) return RADDLE_LIBGOMP(omp_destroy_lock)(lock);
  end_life(lock, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void omp_set_lock(OmpLock* lock) {
  if (off()) return RADDLE_LIBGOMP(omp_set_lock)(lock);
  acquire(lock_at(lock), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void omp_unset_lock(OmpLock* lock) {
  if (off()) return RADDLE_LIBGOMP(omp_unset_lock)(lock);
  unlock_mutex(lock_at(lock), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int omp_test_lock(OmpLock* lock) {
  if (off()) return RADDLE_LIBGOMP(omp_test_lock)(lock);
  return try_lock_mutex(lock_at(lock), RADDLE_PROGRAM_CALLER) == 0 ? 1 : 0;
}

RADDLE_EXPORT void omp_init_nest_lock(OmpNestLock* lock) {
  if (off()) return RADDLE_LIBGOMP(omp_init_nest_lock)(lock);
  begin_life(lock);
}

RADDLE_EXPORT void omp_destroy_nest_lock(OmpNestLock* lock) {
  if (off()) return RADDLE_LIBGOMP(omp_destroy_nest_lock)(lock);
  end_life(lock, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void omp_set_nest_lock(OmpNestLock* lock) {
  if (off()) return RADDLE_LIBGOMP(omp_set_nest_lock)(lock);
  acquire(nest_lock_at(lock), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void omp_unset_nest_lock(OmpNestLock* lock) {
  if (off()) return RADDLE_LIBGOMP(omp_unset_nest_lock)(lock);
  unlock_mutex(nest_lock_at(lock), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int omp_test_nest_lock(OmpNestLock* lock) {
  if (off()) return RADDLE_LIBGOMP(omp_test_nest_lock)(lock);
  SyncObject& object = nest_lock_at(lock);
  int error = try_lock_mutex(object, RADDLE_PROGRAM_CALLER);
  return error == 0 ? static_cast<int>(object.mutex.depth) : 0;
}
