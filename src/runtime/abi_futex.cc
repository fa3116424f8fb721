// SPDX-License-Identifier: Apache-2.0
//
// Futexes, as far as programs and libstdc++ reach them through syscall(2): so std::atomic::wait,
// std::future, latches, barriers and C++20 semaphores. Target side. All other system calls pass
// through.
//
// A wait is two steps: futex_wait compares and joins the waiters in one go, futex_resume leaves.
// The kernel wakes in the order of arrival, and so do we.
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/at_fork.h"
#include "runtime/checkpoint.h"
#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/shared_objects.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;
using raddle::model::ObjectKind;

namespace {

constexpr int kLockPi2 = 13;  // FUTEX_LOCK_PI2; older headers do not have it

struct FutexCall {
  int* word;
  int operation;  // without flags
  bool wall_clock;
  bool process_shared;
  unsigned value;
  const timespec* timeout;
  unsigned third_value;
};

long fail(int error) {
  errno = error;
  return -1;
}

SyncObject& futex_object(int* word) {
  return object_at(reinterpret_cast<std::uintptr_t>(word), ObjectKind::futex);
}

std::uint64_t deadline_for(const FutexCall& call) {
  if (call.timeout == nullptr) return 0;
  if (call.operation == FUTEX_WAIT) return deadline_after(*call.timeout);
  bool wall_clock = call.wall_clock || call.operation == FUTEX_LOCK_PI;
  return deadline_of(wall_clock ? CLOCK_REALTIME : CLOCK_MONOTONIC, *call.timeout);
}

long wait(const FutexCall& call, std::uintptr_t pc) {
  SyncObject& futex = futex_object(call.word);
  PendingOp& op = sync_op(OpKind::futex_wait, futex, pc);
  note_progress();
  pass_point();
  bool changed = static_cast<unsigned>(__atomic_load_n(call.word, __ATOMIC_SEQ_CST)) != call.value;
  emit_sync(op, changed);
  if (changed) return fail(EAGAIN);
  continue_as(op, OpKind::futex_resume);
  Fiber& me = *g.current;
  me.ticket = call.operation == FUTEX_WAIT_BITSET ? call.third_value : FUTEX_BITSET_MATCH_ANY;
  pass_point({.notification = true,
              .queue = &futex,
              .deadline_ns = deadline_for(call),
              .interruption = Interruption::restartable});
  bool timed_out = me.timed_out && !me.signalled;
  emit_sync(op, timed_out || me.eintr);
  if (me.eintr) return fail(EINTR);
  return timed_out ? fail(ETIMEDOUT) : 0;
}

unsigned wake_up_to(SyncObject& futex, unsigned count, std::uint32_t bits) {
  unsigned woken = 0;
  for_each_sleeper(futex, [&](const Sleeper& sleeper) {
    if (woken == count || (sleeper.ticket() & bits) == 0) return;
    ++woken;
    if (races_wanted()) order_hand_over(*sleeper.fiber);
    notify(sleeper);
  });
  return woken;
}

long wake(const FutexCall& call, std::uintptr_t pc) {
  SyncObject& futex = futex_object(call.word);
  PendingOp& op = sync_op(OpKind::futex_wake, futex, pc);
  note_progress();
  pass_point();
  std::uint32_t bits =
      call.operation == FUTEX_WAKE_BITSET ? call.third_value : FUTEX_BITSET_MATCH_ANY;
  unsigned woken = wake_up_to(futex, call.value, bits);
  emit_sync(op, woken == 0);
  return woken;
}

// FUTEX_REQUEUE and FUTEX_CMP_REQUEUE: waking everybody is a legal, if less economical, outcome.
long requeue(const FutexCall& call, std::uintptr_t pc) {
  SyncObject& futex = futex_object(call.word);
  PendingOp& op = sync_op(OpKind::futex_wake, futex, pc);
  pass_point();
  bool changed =
      call.operation == FUTEX_CMP_REQUEUE && static_cast<unsigned>(*call.word) != call.third_value;
  emit_sync(op, changed);
  if (changed) return fail(EAGAIN);
  return wake_up_to(futex, ~0u, FUTEX_BITSET_MATCH_ANY);
}

unsigned tid_of(const Fiber& fiber) {
  return static_cast<unsigned>(RADDLE_REAL(gettid)() + fiber.id);
}

// Writes the word of a priority-inheriting lock, as an atomic operation of the current thread.
void set_owner(int* word, unsigned value) {
  __atomic_store_n(word, static_cast<int>(value), __ATOMIC_SEQ_CST);
  if (!races_wanted() || !running()) return;
  order_atomic_load(reinterpret_cast<std::uintptr_t>(word), __ATOMIC_SEQ_CST);
  order_atomic_update(reinterpret_cast<std::uintptr_t>(word), __ATOMIC_SEQ_CST);
}

// FUTEX_LOCK_PI, FUTEX_LOCK_PI2, FUTEX_TRYLOCK_PI. The word holds the owner's thread id, and a bit
// that says that somebody waits; who unlocks then hands the lock on. Priorities have no effect.
long lock_pi(const FutexCall& call, std::uintptr_t pc) {
  note_lasting_effect();  // thread ids are others in each process
  SyncObject& futex = futex_object(call.word);
  PendingOp& op = sync_op(OpKind::futex_wait, futex, pc);
  note_progress();
  pass_point();
  Fiber& me = *g.current;
  auto seen = static_cast<unsigned>(__atomic_load_n(call.word, __ATOMIC_SEQ_CST));
  unsigned owner = seen & FUTEX_TID_MASK;
  bool waits = owner != 0 && owner != tid_of(me) && call.operation != FUTEX_TRYLOCK_PI;
  if (owner == 0) set_owner(call.word, seen | tid_of(me));
  if (waits) set_owner(call.word, seen | FUTEX_WAITERS);
  emit_sync(op, owner != 0);
  if (owner == 0) return 0;
  if (!waits) return fail(owner == tid_of(me) ? EDEADLK : EAGAIN);
  continue_as(op, OpKind::futex_resume);
  me.ticket = FUTEX_BITSET_MATCH_ANY;
  pass_point({.notification = true, .queue = &futex, .deadline_ns = deadline_for(call)});
  bool timed_out = me.timed_out && !me.signalled;
  emit_sync(op, timed_out);
  return timed_out ? fail(ETIMEDOUT) : 0;
}

long unlock_pi(const FutexCall& call, std::uintptr_t pc) {
  SyncObject& futex = futex_object(call.word);
  PendingOp& op = sync_op(OpKind::futex_wake, futex, pc);
  note_progress();
  pass_point();
  auto seen = static_cast<unsigned>(__atomic_load_n(call.word, __ATOMIC_SEQ_CST));
  bool mine = (seen & FUTEX_TID_MASK) == tid_of(*g.current);
  unsigned waiting = 0, next = 0;
  for_each_sleeper(futex, [&](const Sleeper& sleeper) {
    if (waiting++ == 0) next = tid_of(*sleeper.fiber);
  });
  if (mine) set_owner(call.word, waiting > 1 ? next | FUTEX_WAITERS : next);
  if (mine) wake_up_to(futex, 1, FUTEX_BITSET_MATCH_ANY);
  emit_sync(op, !mine);
  return mine ? 0 : fail(EPERM);
}

long futex(const FutexCall& call, std::uintptr_t pc) {
  check_common(call.word, call.process_shared, "a futex");
  switch (call.operation) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      return wait(call, pc);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return wake(call, pc);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
      return requeue(call, pc);
    case FUTEX_LOCK_PI:
    case kLockPi2:
    case FUTEX_TRYLOCK_PI:
      return lock_pi(call, pc);
    case FUTEX_UNLOCK_PI:
      return unlock_pi(call, pc);
    default:
      return fail(ENOSYS);
  }
}

// Calls that programs make this way, and that change nothing of what the kernel keeps of a process.
bool leaves_no_trace(long number) {
  switch (number) {
    case SYS_getrandom:
    case SYS_membarrier:
    case SYS_getcpu:
    case SYS_clock_gettime:
    case SYS_gettimeofday:
    case SYS_getppid:
    case SYS_getuid:
    case SYS_futex:
      return true;
    default:
      return false;
  }
}

}  // namespace

RADDLE_EXPORT long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (!off() && number == SYS_futex)
    return futex({.word = reinterpret_cast<int*>(a[0]),
                  .operation = static_cast<int>(a[1]) & FUTEX_CMD_MASK,
                  .wall_clock = (a[1] & FUTEX_CLOCK_REALTIME) != 0,
                  .process_shared = (a[1] & FUTEX_PRIVATE_FLAG) == 0,
                  .value = static_cast<unsigned>(a[2]),
                  .timeout = reinterpret_cast<const timespec*>(a[3]),
                  .third_value = static_cast<unsigned>(a[5])},
                 RADDLE_PROGRAM_CALLER);
  if (!off() && number == SYS_gettid) return gettid();
  if (!off() && number == SYS_getpid) return getpid();
  if (!off() && number == SYS_sched_yield) return sched_yield();
  if (!off() && number == SYS_pause) return pause();
  if (!off() && number == SYS_nanosleep)
    return nanosleep(reinterpret_cast<const timespec*>(a[0]), reinterpret_cast<timespec*>(a[1]));
  if (!off() && number == SYS_kill) return kill(static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
  if (!off() && number == SYS_tgkill)
    return tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
  if (!off() && (number == SYS_fork || number == SYS_vfork)) return fork();
  if (!off() && (number == SYS_clone || number == SYS_clone3))
    return clone_by_call(number, a, RADDLE_PROGRAM_CALLER);
  if (running() && !leaves_no_trace(number)) end_residence(raddle::wire::ResidentEnd::raw_calls);
  return RADDLE_REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
