// SPDX-License-Identifier: Apache-2.0
//
// pthread condition variables. Target side. A wait is two steps: cond_wait releases the mutex and
// joins the waiters in one go; cond_wake takes the mutex back, enabled when the thread has been
// notified (or timed out) and the mutex is free. Which waiter a signal wakes is not specified by
// POSIX: it is a value choice.
#include <errno.h>
#include <pthread.h>

#include "runtime/cancel.h"
#include "runtime/leftovers.h"
#include "runtime/misuse.h"
#include "runtime/real.h"
#include "runtime/shared_objects.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;
using raddle::model::ObjectKind;

namespace raddle::runtime {

SyncObject& mutex_object(pthread_mutex_t* mutex);
void hand_back(pthread_mutex_t* mutex);

namespace {

// pthread_cond_t: the word after the group sizes is zero in every initialiser and not otherwise
// used while all functions on condvars are ours; of the next one bit 0 tells whether processes
// share it, bit 1 is the clock.
constexpr unsigned kRecordWord = 8;
constexpr unsigned kFlagsWord = 9;
constexpr auto kDestroyedWord = static_cast<std::uint32_t>(kDestroyedMark);

std::uint32_t* words(pthread_cond_t* cond) { return reinterpret_cast<std::uint32_t*>(cond); }

SyncObject& cond_object(pthread_cond_t* cond) {
  bool fresh;
  if (running() && words(cond)[kFlagsWord] == kDestroyedWord)
    report_dead_use(cond, RADDLE_PROGRAM_CALLER);
  check_common(cond, (words(cond)[kFlagsWord] & 1) != 0, "a condition variable");
  return object_in(cond, &words(cond)[kRecordWord], ObjectKind::condvar, &fresh);
}

// Whether libc does it all. A child of the program goes on without raddle, and libc has to find the
// condition variable as it knows it: nobody waits, since there are no other threads.
bool is_native(pthread_cond_t* cond, pthread_mutex_t* mutex = nullptr) {
  if (!off()) return false;
  std::uint32_t& mark = words(cond)[kRecordWord];
  if (SyncObject* object = marked_object(cond, mark, ObjectKind::condvar)) {
    object->address = 0;  // libc uses the word for something else
    mark = 0;
  }
  if (mutex != nullptr) hand_back(mutex);
  return true;
}

clockid_t clock_of(pthread_cond_t* cond) {
  return (words(cond)[kFlagsWord] & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

void release_for_wait(SyncObject& mutex, const PendingOp& op) {
  check_object(mutex, op);
  mutex.mutex.unlock(g.current->id);
  note_released(mutex);
  emit({.kind = OpKind::mutex_unlock, .site = op.site, .address = mutex.address}, g.current->id,
       with_caller(), 0);
  if (races_wanted()) order_sync(OpKind::mutex_unlock, mutex, false);
  refresh(mutex);
}

void wake(const Sleeper& sleeper) {
  if (races_wanted()) order_hand_over(*sleeper.fiber);
  notify(sleeper);
}

int wait(pthread_cond_t* cond, pthread_mutex_t* mutex, std::uint64_t deadline_ns,
         std::uintptr_t pc) {
  SyncObject& condvar = cond_object(cond);
  SyncObject& lock = mutex_object(mutex);
  Fiber& me = *g.current;
  PendingOp& op = sync_op(OpKind::cond_wait, condvar, pc);
  op.second = lock.address;
  note_progress();
  pass_point();
  act_on_cancel_in_step(pc);
  if (lock.mutex.owner != me.id && lock.mutex.type != raddle::model::MutexType::normal)
    return EPERM;
  check_wait(condvar, lock, op.site);
  std::uint32_t depth = lock.mutex.depth;
  lock.mutex.depth = 1;  // a recursive mutex is released whole
  emit_sync(op);
  release_for_wait(lock, op);
  continue_as(op, OpKind::cond_wake);
  pass_point({.object = &lock,
              .notification = true,
              .queue = &condvar,
              .deadline_ns = deadline_ns,
              .cancellation_point = true});
  bool timed_out = me.timed_out && !me.signalled;
  if (lock.freed) report_gone_object(lock.address, op.site);
  int error = lock.mutex.lock(me.id, op.site);
  lock.mutex.depth = depth == 0 ? 1 : depth;
  note_held(lock, OpKind::mutex_lock, op.site);
  emit_sync(op, timed_out);
  emit({.kind = OpKind::mutex_lock, .site = op.site, .address = lock.address}, me.id, with_caller(),
       0);
  if (races_wanted()) order_sync(OpKind::mutex_lock, lock, false);
  refresh(lock);
  // A notification that has been consumed is not lost: such a thread ends at its next wait.
  if (!me.signalled && !timed_out) act_on_cancel(pc);
  if (error != 0) return error;  // a robust mutex whose owner died
  return timed_out ? ETIMEDOUT : 0;
}

unsigned waiter_count(const SyncObject& condvar) {
  unsigned count = 0;
  for_each_sleeper(condvar, [&](const Sleeper&) { ++count; });
  return count;
}

int signal_one(pthread_cond_t* cond, std::uintptr_t pc) {
  SyncObject& condvar = cond_object(cond);
  PendingOp& op = sync_op(OpKind::cond_signal, condvar, pc);
  note_progress();
  pass_point();
  unsigned count = waiter_count(condvar);
  emit_sync(op, count == 0);
  if (count == 0) return 0;
  unsigned chosen = choose_value(count);
  Sleeper woken{};
  for_each_sleeper(condvar, [&](const Sleeper& sleeper) {
    if (chosen-- == 0) woken = sleeper;
  });
  wake(woken);
  return 0;
}

int signal_all(pthread_cond_t* cond, std::uintptr_t pc) {
  SyncObject& condvar = cond_object(cond);
  PendingOp& op = sync_op(OpKind::cond_broadcast, condvar, pc);
  note_progress();
  pass_point();
  emit_sync(op, waiter_count(condvar) == 0);
  for_each_sleeper(condvar, [](const Sleeper& sleeper) { wake(sleeper); });
  return 0;
}

}  // namespace
}  // namespace raddle::runtime

RADDLE_EXPORT int pthread_cond_init(pthread_cond_t* cond, const pthread_condattr_t* attributes) {
  note_initialised(cond, ObjectKind::condvar, RADDLE_PROGRAM_CALLER);
  return RADDLE_REAL(pthread_cond_init)(cond, attributes);
}

RADDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* cond) {
  if (is_native(cond)) return RADDLE_REAL(pthread_cond_destroy)(cond);
  SyncObject& condvar = cond_object(cond);
  pass_destroy_point(condvar, RADDLE_PROGRAM_CALLER);
  check_destroy(condvar, RADDLE_PROGRAM_CALLER);
  note_destroyed(cond);
  words(cond)[kRecordWord] = 0;
  words(cond)[kFlagsWord] = kDestroyedWord;
  return 0;
}

RADDLE_EXPORT int pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
  if (is_native(cond, mutex)) return RADDLE_REAL(pthread_cond_wait)(cond, mutex);
  return wait(cond, mutex, 0, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex,
                                         const timespec* when) {
  if (is_native(cond, mutex)) return RADDLE_REAL(pthread_cond_timedwait)(cond, mutex, when);
  if (!is_valid(*when)) return EINVAL;
  return wait(cond, mutex, deadline_of(clock_of(cond), *when), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex,
                                         clockid_t clock, const timespec* when) {
  if (is_native(cond, mutex)) return RADDLE_REAL(pthread_cond_clockwait)(cond, mutex, clock, when);
  if (!is_wait_clock(clock) || !is_valid(*when)) return EINVAL;
  return wait(cond, mutex, deadline_of(clock, *when), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_cond_signal(pthread_cond_t* cond) {
  if (is_native(cond)) return RADDLE_REAL(pthread_cond_signal)(cond);
  return signal_one(cond, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* cond) {
  if (is_native(cond)) return RADDLE_REAL(pthread_cond_broadcast)(cond);
  return signal_all(cond, RADDLE_PROGRAM_CALLER);
}
