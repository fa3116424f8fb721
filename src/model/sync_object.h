// SPDX-License-Identifier: Apache-2.0
//
// SyncObject: one synchronisation object of the program, whatever its kind, and the question the
// controller asks of it: could this operation be carried out now? Both sides; pure.
//
// Condvars and futexes have no state of their own: who waits and who was woken is a fact about the
// waiting threads. A condvar's cond_wake needs its mutex, so it is asked of the mutex.
#pragma once

#include "model/barrier.h"
#include "model/mutex.h"
#include "model/once.h"
#include "model/pending_op.h"
#include "model/rwlock.h"
#include "model/semaphore.h"

namespace raddle::model {

enum class ObjectKind : std::uint8_t {
  none,
  mutex,
  rwlock,
  condvar,
  semaphore,
  barrier,
  once,
  futex
};

struct SyncObject {
  std::uintptr_t address = 0;
  ObjectKind kind = ObjectKind::none;
  bool freed = false;       // the memory that it lies in is
  std::uint64_t users = 0;  // threads that have carried out operations on it, as user_bit()
  // Head and tail of the threads whose pending operation waits for this object, oldest first;
  // linked through the threads, kept by whoever runs the program.
  ThreadId first_waiter = kNoThread;
  ThreadId last_waiter = kNoThread;
  union {
    Mutex mutex;
    RwLock rwlock;
    Semaphore semaphore;
    Barrier barrier;
    Once once;
  };

  SyncObject() : mutex() {}
};

// Threads from 63 on share a bit.
constexpr std::uint64_t user_bit(ThreadId t) { return std::uint64_t{1} << (t < 63 ? t : 63); }
// Whether another thread than t has used the object, or may have.
inline bool used_by_others(const SyncObject& object, ThreadId t) {
  return (object.users & ~(t < 63 ? user_bit(t) : 0)) != 0;
}

// Whether `op` of thread t can be carried out now. `ticket` is the round of a barrier_leave.
inline bool grants(const SyncObject& object, OpKind op, ThreadId t, std::uint32_t ticket = 0) {
  switch (op) {
    case OpKind::mutex_lock:
    case OpKind::mutex_timed_lock:
    case OpKind::cond_wake:
    case OpKind::process_exit:
      return object.mutex.grants(t);
    case OpKind::rwlock_read:
    case OpKind::rwlock_timed_read:
      return object.rwlock.grants_read(t);
    case OpKind::rwlock_write:
    case OpKind::rwlock_timed_write:
      return object.rwlock.grants_write(t);
    case OpKind::sem_wait:
    case OpKind::sem_timed_wait:
      return object.semaphore.grants();
    case OpKind::barrier_leave:
      return object.barrier.grants_leave(ticket);
    case OpKind::once_enter:
      return object.once.grants();
    default:
      return true;
  }
}

// The thread that must act before `op` of t can be granted, if there is exactly one; else
// kNoThread.
inline ThreadId holder(const SyncObject& object, OpKind op, ThreadId t) {
  if (grants(object, op, t)) return kNoThread;
  switch (object.kind) {
    case ObjectKind::mutex:
      return object.mutex.owner;
    case ObjectKind::rwlock:
      return object.rwlock.writer;
    case ObjectKind::once:
      return object.once.runner;
    default:
      return kNoThread;
  }
}

}  // namespace raddle::model
