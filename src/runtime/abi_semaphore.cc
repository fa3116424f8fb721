// SPDX-License-Identifier: Apache-2.0
//
// POSIX semaphores and pthread barriers: objects that count. Target side.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "runtime/cancel.h"
#include "runtime/leftovers.h"
#include "runtime/misuse.h"
#include "runtime/real.h"
#include "runtime/shared_objects.h"
#include "runtime/signal_actions.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;
using raddle::model::ObjectKind;

namespace {

// glibc keeps the value in the first word, and in the third whether processes share it; the words
// from the fourth on are unused.
SyncObject& sem_object(sem_t* sem) {
  auto* words = reinterpret_cast<std::uint32_t*>(sem);
  bool fresh;
  check_common(sem, words[2] != 0, "a semaphore");
  SyncObject& object = object_in(sem, &words[4], ObjectKind::semaphore, &fresh);
  if (fresh) object.semaphore.value = words[0];
  return object;
}

// Whether libc does it all. A child of the program goes on without raddle, and libc has to find the
// semaphore as it knows it.
bool is_native(sem_t* sem) {
  if (!off()) return false;
  auto* words = reinterpret_cast<std::uint32_t*>(sem);
  if (SyncObject* object = marked_object(sem, words[4], ObjectKind::semaphore)) {
    words[0] = object->semaphore.value;
    words[4] = 0;
  }
  return true;
}

int fail(int error) {
  errno = error;
  return -1;
}

int sem_acquire(sem_t* sem, OpKind kind, std::uint64_t deadline_ns, std::uintptr_t pc) {
  SyncObject& object = sem_object(sem);
  if (!object.semaphore.grants()) check_named(sem);
  if (signals_in_use()) enter_wait(pc);
  PendingOp& op = sync_op(kind, object, pc);
  note_progress();
  pass_point({.object = &object,
              .deadline_ns = deadline_ns,
              .interruption = Interruption::restartable,
              .cancellation_point = true});
  bool interrupted = g.current->eintr;
  bool granted = !interrupted && object.semaphore.grants();
  if (granted) object.semaphore.take();
  emit_sync(op, !granted);
  refresh(object);
  return granted ? 0 : fail(interrupted ? EINTR : ETIMEDOUT);
}

std::uint32_t* barrier_word(pthread_barrier_t* barrier, unsigned index) {
  return &reinterpret_cast<std::uint32_t*>(barrier)[index];
}

// glibc's barrier: arrivals, round, count, shared, departures; the sixth word is unused.
SyncObject& barrier_object(pthread_barrier_t* barrier) {
  bool fresh;
  check_common(barrier, *barrier_word(barrier, 3) != 0, "a barrier");
  SyncObject& object = object_in(barrier, barrier_word(barrier, 6), ObjectKind::barrier, &fresh);
  if (fresh) {
    object.barrier = {};
    object.barrier.needed = *barrier_word(barrier, 2);
  }
  return object;
}

}  // namespace

RADDLE_EXPORT int sem_init(sem_t* sem, int shared, unsigned value) {
  note_initialised(sem, ObjectKind::semaphore, RADDLE_PROGRAM_CALLER);
  int result = RADDLE_REAL(sem_init)(sem, shared, value);
  if (!off() && result == 0) reinterpret_cast<std::uint32_t*>(sem)[4] = 0;
  return result;
}

RADDLE_EXPORT int sem_destroy(sem_t* sem) {
  if (is_native(sem)) return RADDLE_REAL(sem_destroy)(sem);
  SyncObject& object = sem_object(sem);
  pass_destroy_point(object, RADDLE_PROGRAM_CALLER);
  check_destroy(object, RADDLE_PROGRAM_CALLER);
  note_destroyed(sem);
  reinterpret_cast<std::uint32_t*>(sem)[4] = 0;
  return 0;
}

RADDLE_EXPORT int sem_wait(sem_t* sem) {
  if (is_native(sem)) return RADDLE_REAL(sem_wait)(sem);
  act_on_cancel(RADDLE_PROGRAM_CALLER);
  return sem_acquire(sem, OpKind::sem_wait, 0, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int sem_timedwait(sem_t* sem, const timespec* when) {
  if (is_native(sem)) return RADDLE_REAL(sem_timedwait)(sem, when);
  if (!is_valid(*when)) return fail(EINVAL);
  act_on_cancel(RADDLE_PROGRAM_CALLER);
  return sem_acquire(sem, OpKind::sem_timed_wait, deadline_of(CLOCK_REALTIME, *when),
                     RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int sem_clockwait(sem_t* sem, clockid_t clock, const timespec* when) {
  if (is_native(sem)) return RADDLE_REAL(sem_clockwait)(sem, clock, when);
  if (!is_wait_clock(clock) || !is_valid(*when)) return fail(EINVAL);
  // glibc looks whether the thread was cancelled only if it has to wait.
  if (!sem_object(sem).semaphore.grants()) act_on_cancel(RADDLE_PROGRAM_CALLER);
  return sem_acquire(sem, OpKind::sem_timed_wait, deadline_of(clock, *when), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int sem_trywait(sem_t* sem) {
  if (is_native(sem)) return RADDLE_REAL(sem_trywait)(sem);
  SyncObject& object = sem_object(sem);
  PendingOp& op = sync_op(OpKind::sem_try_wait, object, RADDLE_PROGRAM_CALLER);
  if (object.semaphore.value == 0)
    note_failure(op);
  else
    note_progress();
  pass_point();
  int error = object.semaphore.try_take();
  emit_sync(op, error != 0);
  refresh(object);
  return error == 0 ? 0 : fail(error);
}

RADDLE_EXPORT int sem_post(sem_t* sem) {
  if (is_native(sem)) return RADDLE_REAL(sem_post)(sem);
  SyncObject& object = sem_object(sem);
  PendingOp& op = sync_op(OpKind::sem_post, object, RADDLE_PROGRAM_CALLER);
  note_progress();
  pass_point();
  int error = object.semaphore.post();
  emit_sync(op, error != 0);
  refresh(object);
  return error == 0 ? 0 : fail(error);
}

RADDLE_EXPORT int sem_getvalue(sem_t* sem, int* value) {
  if (is_native(sem)) return RADDLE_REAL(sem_getvalue)(sem, value);
  SyncObject& object = sem_object(sem);
  PendingOp& op = sync_op(OpKind::sem_try_wait, object, RADDLE_PROGRAM_CALLER);
  pass_point();
  *value = static_cast<int>(object.semaphore.value);
  emit_sync(op, true);
  return 0;
}

RADDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier,
                                       const pthread_barrierattr_t* attributes, unsigned count) {
  note_initialised(barrier, ObjectKind::barrier, RADDLE_PROGRAM_CALLER);
  int error = RADDLE_REAL(pthread_barrier_init)(barrier, attributes, count);
  if (!off() && error == 0) *barrier_word(barrier, 6) = 0;
  return error;
}

RADDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  if (off()) return RADDLE_REAL(pthread_barrier_destroy)(barrier);
  SyncObject& object = barrier_object(barrier);
  pass_destroy_point(object, RADDLE_PROGRAM_CALLER);
  check_destroy(object, RADDLE_PROGRAM_CALLER);
  note_destroyed(barrier);
  *barrier_word(barrier, 6) = 0;
  return 0;
}

RADDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (off()) return RADDLE_REAL(pthread_barrier_wait)(barrier);
  SyncObject& object = barrier_object(barrier);
  PendingOp& op = sync_op(OpKind::barrier_arrive, object, RADDLE_PROGRAM_CALLER);
  note_progress();
  pass_point();
  raddle::model::Barrier::Ticket ticket = object.barrier.arrive();
  emit_sync(op);
  if (ticket.last) {
    refresh(object);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  continue_as(op, OpKind::barrier_leave);
  g.current->ticket = ticket.round;
  pass_point(object);
  emit_sync(op);
  return 0;
}
