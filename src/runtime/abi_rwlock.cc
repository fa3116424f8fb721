// SPDX-License-Identifier: Apache-2.0
//
// pthread read-write locks. Target side. To get a lock that prefers writers may take two steps: a
// writer that finds it taken joins those who wait, which keeps new readers out.
#include <errno.h>
#include <pthread.h>

#include "runtime/leftovers.h"
#include "runtime/misuse.h"
#include "runtime/real.h"
#include "runtime/shared_objects.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;
using raddle::model::ObjectKind;

namespace {

SyncObject& rwlock_object(pthread_rwlock_t* lock) {
  bool fresh;
  check_common(lock, lock->__data.__shared != 0, "a read-write lock");
  SyncObject& object = object_in(lock, &lock->__data.__pad3, ObjectKind::rwlock, &fresh);
  // A record begins as a mutex, whose padding holds what an earlier run has left there.
  if (fresh) {
    object.rwlock = {};
    object.rwlock.prefers_writers =
        lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
  }
  return object;
}

// Whether libc does it all. A child of the program goes on without raddle, and libc has to find the
// lock as it knows it. Who holds it in another thread holds it for ever.
bool is_native(pthread_rwlock_t* lock) {
  if (!off()) return false;
  SyncObject* object = marked_object(lock, lock->__data.__pad3, ObjectKind::rwlock);
  if (object == nullptr) return true;
  object->address = 0;
  lock->__data.__pad3 = 0;
  const raddle::model::RwLock& state = object->rwlock;
  for (std::uint32_t i = 0; i < state.readers; ++i) RADDLE_REAL(pthread_rwlock_tryrdlock)(lock);
  if (state.writer == raddle::kNoThread) return true;
  RADDLE_REAL(pthread_rwlock_trywrlock)(lock);
  constexpr int kNobodyHere = 1;  // the number of a thread that is never one of the program
  if (state.writer != g.current->id) lock->__data.__cur_writer = kNobodyHere;
  return true;
}

bool is_write(OpKind kind) {
  return kind == OpKind::rwlock_write || kind == OpKind::rwlock_timed_write ||
         kind == OpKind::rwlock_try_write;
}

// Passes the point of a write lock of the kind that prefers writers.
void pass_writer(SyncObject& object, PendingOp& op, std::uint64_t deadline_ns) {
  raddle::model::RwLock& rwlock = object.rwlock;
  pass_point();
  if (rwlock.grants_write(g.current->id)) return;
  emit_sync(op, true);
  continue_as(op, op.kind);
  ++rwlock.waiting_writers;
  refresh(object);
  pass_point({.object = &object, .deadline_ns = deadline_ns});
  --rwlock.waiting_writers;
}

int acquire(pthread_rwlock_t* lock, OpKind kind, std::uint64_t deadline_ns, std::uintptr_t pc) {
  SyncObject& object = rwlock_object(lock);
  raddle::ThreadId me = g.current->id;
  PendingOp& op = sync_op(kind, object, pc);
  note_progress();
  raddle::model::RwLock& rwlock = object.rwlock;
  if (rwlock.prefers_writers && is_write(kind))
    pass_writer(object, op, deadline_ns);
  else
    pass_point({.object = &object, .deadline_ns = deadline_ns});
  bool granted = is_write(kind) ? rwlock.grants_write(me) : rwlock.grants_read(me);
  int error = ETIMEDOUT;
  if (granted) error = is_write(kind) ? rwlock.lock_write(me, op.site) : rwlock.lock_read(me);
  if (error == 0)
    note_held(object, is_write(kind) ? OpKind::rwlock_write : OpKind::rwlock_read, op.site);
  emit_sync(op, error != 0);
  refresh(object);
  return error;
}

int try_acquire(pthread_rwlock_t* lock, OpKind kind, std::uintptr_t pc) {
  SyncObject& object = rwlock_object(lock);
  raddle::model::RwLock& rwlock = object.rwlock;
  PendingOp& op = sync_op(kind, object, pc);
  bool busy = is_write(kind) ? rwlock.writer != raddle::kNoThread || rwlock.readers > 0
                             : !rwlock.admits_readers();
  if (busy)
    note_failure(op);
  else
    note_progress();
  pass_point();
  raddle::ThreadId me = g.current->id;
  int error = is_write(kind) ? rwlock.try_lock_write(me, op.site) : rwlock.try_lock_read(me);
  if (error == 0)
    note_held(object, is_write(kind) ? OpKind::rwlock_write : OpKind::rwlock_read, op.site);
  emit_sync(op, error != 0);
  refresh(object);
  return error;
}

int timed(pthread_rwlock_t* lock, OpKind kind, clockid_t clock, const timespec* when,
          std::uintptr_t pc) {
  if (!is_wait_clock(clock) || !is_valid(*when)) return EINVAL;
  return acquire(lock, kind, deadline_of(clock, *when), pc);
}

}  // namespace

RADDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attr) {
  note_initialised(lock, ObjectKind::rwlock, RADDLE_PROGRAM_CALLER);
  return RADDLE_REAL(pthread_rwlock_init)(lock, attr);
}

RADDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (is_native(lock)) return RADDLE_REAL(pthread_rwlock_destroy)(lock);
  SyncObject& object = rwlock_object(lock);
  pass_destroy_point(object, RADDLE_PROGRAM_CALLER);
  check_destroy(object, RADDLE_PROGRAM_CALLER);
  note_destroyed(lock);
  lock->__data.__pad3 = 0;
  return 0;
}

RADDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  if (is_native(lock)) return RADDLE_REAL(pthread_rwlock_rdlock)(lock);
  return acquire(lock, OpKind::rwlock_read, 0, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  if (is_native(lock)) return RADDLE_REAL(pthread_rwlock_wrlock)(lock);
  return acquire(lock, OpKind::rwlock_write, 0, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  if (is_native(lock)) return RADDLE_REAL(pthread_rwlock_tryrdlock)(lock);
  return try_acquire(lock, OpKind::rwlock_try_read, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  if (is_native(lock)) return RADDLE_REAL(pthread_rwlock_trywrlock)(lock);
  return try_acquire(lock, OpKind::rwlock_try_write, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* when) {
  if (is_native(lock)) return RADDLE_REAL(pthread_rwlock_timedrdlock)(lock, when);
  return timed(lock, OpKind::rwlock_timed_read, CLOCK_REALTIME, when, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* when) {
  if (is_native(lock)) return RADDLE_REAL(pthread_rwlock_timedwrlock)(lock, when);
  return timed(lock, OpKind::rwlock_timed_write, CLOCK_REALTIME, when, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* when) {
  if (is_native(lock)) return RADDLE_REAL(pthread_rwlock_clockrdlock)(lock, clock, when);
  return timed(lock, OpKind::rwlock_timed_read, clock, when, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* when) {
  if (is_native(lock)) return RADDLE_REAL(pthread_rwlock_clockwrlock)(lock, clock, when);
  return timed(lock, OpKind::rwlock_timed_write, clock, when, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  if (is_native(lock)) return RADDLE_REAL(pthread_rwlock_unlock)(lock);
  SyncObject& object = rwlock_object(lock);
  PendingOp& op = sync_op(OpKind::rwlock_unlock, object, RADDLE_PROGRAM_CALLER);
  // It stays what it is until the step is made: nobody else gives back this thread's lock.
  if (object.rwlock.writer == raddle::kNoThread) op.order = raddle::wire::kReadSide;
  pass_point();
  int error = object.rwlock.unlock(g.current->id);
  note_released(object);
  emit_sync(op);
  refresh(object);
  return error;
}
