// SPDX-License-Identifier: Apache-2.0
//
// pthread mutexes and spinlocks. Target side. A mutex carries the index of its record in its
// __nusers field, which is zero in every initialiser.
#include <errno.h>
#include <pthread.h>

#include "runtime/leftovers.h"
#include "runtime/misuse.h"
#include "runtime/quick_lock.h"
#include "runtime/real.h"
#include "runtime/shared_objects.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;
using raddle::model::MutexType;
using raddle::model::ObjectKind;

namespace raddle::runtime {
namespace {

// Bits of __kind beside the type, as glibc's initialisers set them. Priority protocols and sharing
// between processes need nothing from us: there is one kernel thread.
constexpr int kRobustKind = 16;
constexpr int kProtectKind = 64;
constexpr int kSharedKind = 128;
constexpr int kKnownKinds = 0x3ff;  // type, robust, protocols, shared, elision

bool robust_used;  // some mutex of the program is

}  // namespace

// A child of the program goes on without raddle, and libc has to find mutexes as it knows them.
void hand_back(pthread_mutex_t* mutex) {
  SyncObject* object = marked_object(mutex, mutex->__data.__nusers, ObjectKind::mutex);
  if (object == nullptr) return;
  object->address = 0;  // libc's count of users is no mark
  const model::Mutex& state = object->mutex;
  mutex->__data.__nusers = state.owner == kNoThread ? 0 : 1;
  if (state.owner == kNoThread) return;
  mutex->__data.__lock = 1;  // owned by a thread that the child does not have: ids change too
  if (state.type == MutexType::recursive) mutex->__data.__count = state.depth;
}

namespace {

// Whether libc does it all.
bool is_native(pthread_mutex_t* mutex) {
  if (!off()) return false;
  hand_back(mutex);
  return true;
}

// What the short way of locking can do at once: its record, or null.
SyncObject* known_plain(pthread_mutex_t* mutex, std::uintptr_t pc) {
  if (!checks_quickly() || pc - main_code.base >= main_code.size) return nullptr;
  SyncObject* known = marked_object(mutex, mutex->__data.__nusers, ObjectKind::mutex);
  return known != nullptr && known->mutex.is_plain() ? known : nullptr;
}

void abandon(SyncObject& object) {
  if (!object.mutex.robust || object.mutex.owner != g.current->id) return;
  object.mutex.lose_owner();
  if (races_wanted()) order_sync(OpKind::mutex_unlock, object, false);
  note_released(object);
  refresh(object);
}

}  // namespace

void abandon_robust_mutexes() {
  if (robust_used) for_each_mutex(abandon);
}

SyncObject& mutex_object(pthread_mutex_t* mutex) {
  bool fresh;
  SyncObject& object = object_in(mutex, &mutex->__data.__nusers, ObjectKind::mutex, &fresh);
  check_common(mutex, (mutex->__data.__kind & kSharedKind) != 0, "a mutex");
  if (fresh) {
    int kind = mutex->__data.__kind;
    if (running() && kind == kDestroyedMark) report_dead_use(mutex, RADDLE_PROGRAM_CALLER);
    if (running() && (kind & ~kKnownKinds) != 0) report_unborn_use(mutex, RADDLE_PROGRAM_CALLER);
    object.mutex.robust = (mutex->__data.__kind & kRobustKind) != 0;
    robust_used |= object.mutex.robust;
    switch (mutex->__data.__kind & 3) {
      case PTHREAD_MUTEX_RECURSIVE:
        object.mutex.type = MutexType::recursive;
        break;
      case PTHREAD_MUTEX_ERRORCHECK:
        object.mutex.type = MutexType::error_check;
        break;
      default:
        object.mutex.type = MutexType::normal;
    }
  }
  return object;
}

int lock_mutex(SyncObject& mutex, OpKind kind, std::uint64_t deadline_ns, std::uintptr_t pc) {
  if (deadline_ns == 0 && kind == OpKind::mutex_lock && locks_quickly(mutex))
    return lock_quickly(mutex, site_of(pc));
  PendingOp& op = sync_op(kind, mutex, pc);
  note_progress();
  if (deadline_ns == 0)
    pass_point(mutex);
  else
    pass_point({.object = &mutex, .deadline_ns = deadline_ns});
  Fiber& me = *g.current;
  if (!mutex.mutex.grants(me.id)) {  // the deadline came first
    emit_sync(op, true);
    return ETIMEDOUT;
  }
  bool was_free = mutex.mutex.owner == kNoThread;
  int error = mutex.mutex.lock(me.id, op.site);
  if (was_free && mutex.mutex.owner == me.id) note_held(mutex, OpKind::mutex_lock, op.site);
  emit_sync(op, error != 0 && error != EOWNERDEAD);
  refresh(mutex);
  return error;
}

int try_lock_mutex(SyncObject& mutex, std::uintptr_t pc) {
  PendingOp& op = sync_op(OpKind::mutex_try_lock, mutex, pc);
  if (mutex.mutex.owner != kNoThread)
    note_failure(op);
  else
    note_progress();
  pass_point();
  bool was_free = mutex.mutex.owner == kNoThread;
  int error = mutex.mutex.try_lock(g.current->id, op.site);
  bool mine = mutex.mutex.owner == g.current->id;
  if (was_free && mine) note_held(mutex, OpKind::mutex_lock, op.site);
  emit_sync(op, error != 0 && error != EOWNERDEAD);
  refresh(mutex);
  return error;
}

int finish_unlock(SyncObject& mutex, const PendingOp& op) {
  bool undefined = mutex.mutex.owner != g.current->id && !mutex.mutex.robust &&
                   mutex.mutex.type == MutexType::normal;
  if (undefined) check_unlock(mutex, op.site);
  int error = mutex.mutex.unlock(g.current->id);
  if (mutex.mutex.owner == kNoThread) note_released(mutex);
  emit_sync(op, error != 0);
  refresh(mutex);
  return error;
}

int unlock_mutex(SyncObject& mutex, std::uintptr_t pc) {
  if (locks_quickly(mutex)) return unlock_quickly(mutex, site_of(pc));
  const PendingOp& op = sync_op(OpKind::mutex_unlock, mutex, pc);
  pass_point();
  return finish_unlock(mutex, op);
}

}  // namespace raddle::runtime

namespace {

// Apart: they need frames, the short ways do not. `pc`: where the program has called.
__attribute__((noinline)) int lock_usually(pthread_mutex_t* mutex, std::uintptr_t pc) {
  if (is_native(mutex)) return RADDLE_REAL(pthread_mutex_lock)(mutex);
  SyncObject& object = mutex_object(mutex);
  return lock_mutex(object, OpKind::mutex_lock, 0, note_call(pc, RADDLE_FRAME));
}

__attribute__((noinline)) int unlock_usually(pthread_mutex_t* mutex, std::uintptr_t pc) {
  if (is_native(mutex)) return RADDLE_REAL(pthread_mutex_unlock)(mutex);
  return unlock_mutex(mutex_object(mutex), note_call(pc, RADDLE_FRAME));
}

}  // namespace

RADDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex,
                                     const pthread_mutexattr_t* attributes) {
  if (off()) hand_back(mutex);  // its record is void from now on
  note_initialised(mutex, ObjectKind::mutex, RADDLE_PROGRAM_CALLER);
  return RADDLE_REAL(pthread_mutex_init)(mutex, attributes);
}

RADDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (is_native(mutex)) {
    // A mark of an earlier run in this process, whose record is forgotten, is no user.
    if (g.in_process && mutex->__data.__lock == 0) mutex->__data.__nusers = 0;
    return RADDLE_REAL(pthread_mutex_destroy)(mutex);
  }
  SyncObject& object = mutex_object(mutex);
  pass_destroy_point(object, RADDLE_PROGRAM_CALLER);
  check_destroy(object, RADDLE_PROGRAM_CALLER);
  if (object.mutex.owner != raddle::kNoThread) return EBUSY;
  note_destroyed(mutex);
  mutex->__data.__nusers = 0;
  mutex->__data.__kind = kDestroyedMark;
  return 0;
}

RADDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (SyncObject* known = known_plain(mutex, RADDLE_CALLER))
    return lock_quickly(*known, site_of(RADDLE_CALLER));
  return lock_usually(mutex, RADDLE_CALLER);
}

RADDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (is_native(mutex)) return RADDLE_REAL(pthread_mutex_trylock)(mutex);
  return try_lock_mutex(mutex_object(mutex), RADDLE_PROGRAM_CALLER);
}

namespace {

// A time that is none matters only to whoever has to wait.
int lock_until(SyncObject& object, clockid_t clock, const timespec& when, std::uintptr_t pc) {
  if (is_valid(when))
    return lock_mutex(object, OpKind::mutex_timed_lock, deadline_of(clock, when), pc);
  int error = try_lock_mutex(object, pc);
  return error == EBUSY ? EINVAL : error;
}

}  // namespace

RADDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* when) {
  if (is_native(mutex)) return RADDLE_REAL(pthread_mutex_timedlock)(mutex, when);
  return lock_until(mutex_object(mutex), CLOCK_REALTIME, *when, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                          const timespec* when) {
  if (is_native(mutex)) return RADDLE_REAL(pthread_mutex_clocklock)(mutex, clock, when);
  if (!is_wait_clock(clock)) return EINVAL;
  return lock_until(mutex_object(mutex), clock, *when, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (SyncObject* known = known_plain(mutex, RADDLE_CALLER))
    return unlock_quickly(*known, site_of(RADDLE_CALLER));
  return unlock_usually(mutex, RADDLE_CALLER);
}

RADDLE_EXPORT int pthread_mutex_consistent(pthread_mutex_t* mutex) {
  if (is_native(mutex)) return RADDLE_REAL(pthread_mutex_consistent)(mutex);
  return mutex_object(mutex).mutex.repair(g.current->id);
}

// The ceiling is kept where glibc keeps it, and means nothing.
RADDLE_EXPORT int pthread_mutex_setprioceiling(pthread_mutex_t* mutex, int ceiling, int* old) {
  if (off()) return RADDLE_REAL(pthread_mutex_setprioceiling)(mutex, ceiling, old);
  constexpr int kCeilingShift = 19;
  if ((mutex->__data.__kind & kProtectKind) == 0 || ceiling < 0 || ceiling > 99) return EINVAL;
  int error = pthread_mutex_lock(mutex);
  if (error != 0 && error != EDEADLK) return error;
  int before = static_cast<int>(static_cast<unsigned>(mutex->__data.__lock) >> kCeilingShift);
  *old = before;
  mutex->__data.__lock = static_cast<int>(static_cast<unsigned>(ceiling) << kCeilingShift);
  return error == 0 ? pthread_mutex_unlock(mutex) : 0;
}

// Spinlocks: a mutex without types, found by address. pthread_spinlock_t is a plain int.
namespace {

SyncObject& spin_object(pthread_spinlock_t* lock) {
  return object_at(reinterpret_cast<std::uintptr_t>(lock), ObjectKind::mutex);
}

// As for mutexes.
bool is_native(pthread_spinlock_t* lock) {
  if (!off()) return false;
  bool is_child = g.current != nullptr && !g.in_process;
  if (!is_child) return true;
  SyncObject* object = find_object(reinterpret_cast<std::uintptr_t>(lock), ObjectKind::mutex);
  if (object == nullptr || object->mutex.owner == raddle::kNoThread) return true;
  object->mutex.owner = raddle::kNoThread;
  RADDLE_REAL(pthread_spin_trylock)(lock);
  return true;
}

}  // namespace

RADDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int shared) {
  if (!off()) spin_object(lock).mutex = {};
  note_initialised(const_cast<int*>(lock), ObjectKind::mutex, RADDLE_PROGRAM_CALLER);
  return RADDLE_REAL(pthread_spin_init)(lock, shared);
}

RADDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) {
  if (is_native(lock)) return RADDLE_REAL(pthread_spin_destroy)(lock);
  note_destroyed(const_cast<int*>(lock));
  spin_object(lock).mutex = {};
  return 0;
}

RADDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (is_native(lock)) return RADDLE_REAL(pthread_spin_lock)(lock);
  return lock_mutex(spin_object(lock), OpKind::mutex_lock, 0, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (is_native(lock)) return RADDLE_REAL(pthread_spin_trylock)(lock);
  return try_lock_mutex(spin_object(lock), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (is_native(lock)) return RADDLE_REAL(pthread_spin_unlock)(lock);
  return unlock_mutex(spin_object(lock), RADDLE_PROGRAM_CALLER);
}
