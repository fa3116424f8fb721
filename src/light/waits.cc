// SPDX-License-Identifier: Apache-2.0
//
// Conditions, semaphores, barriers and futexes (which std::atomic, latch, semaphore and future use)
// as the program calls them, with the calls that end such waits. Inside the program under test
// (RADDLE_LIGHT).
//
// A wake is noted before it is made, so that nobody takes a thread for blocked that has been woken.
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "light/deadline.h"
#include "light/real.h"
#include "light/threads.h"

using namespace raddle::light;

namespace {

Wait wait_for(WaitKind kind, const void* object, const void* mutex, std::int64_t deadline_ns) {
  Wait wait;
  wait.kind = kind;
  wait.object = object;
  wait.mutex = mutex;
  wait.deadline_ns = deadline_ns;
  return wait;
}

// The clock of pthread_cond_timedwait is an attribute; glibc keeps it in bit 1 of __wrefs.
clockid_t clock_of(const pthread_cond_t* condition) {
  const unsigned flags = __atomic_load_n(&condition->__data.__wrefs, __ATOMIC_RELAXED);
  return (flags & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

// Of objects shared with other processes, who may end the wait. In glibc, bit 0 of __wrefs says so
// of a condition, and the third word of a semaphore.
std::int64_t without_limit(const pthread_cond_t* condition) {
  const unsigned flags = __atomic_load_n(&condition->__data.__wrefs, __ATOMIC_RELAXED);
  return (flags & 1) != 0 ? kUnknownDeadline : 0;
}
std::int64_t without_limit(const sem_t* semaphore) {
  int words[4];
  __builtin_memcpy(words, semaphore, sizeof words);
  return words[2] != 0 ? kUnknownDeadline : 0;
}

template <class Slow>
int wait_semaphore(sem_t* semaphore, std::int64_t deadline_ns, Slow slow) {
  const int saved_errno = errno;
  if (LIGHT_REAL(sem_trywait)(semaphore) == 0) return 0;
  errno = saved_errno;
  const WaitScope scope(wait_for(WaitKind::semaphore, semaphore, nullptr, deadline_ns));
  return slow();
}

struct FutexCall {
  std::uint32_t* word;
  int operation;
  std::uint32_t value;
  const timespec* timeout;
};

bool is_futex_wait(const FutexCall& call) {
  const int command = call.operation & FUTEX_CMD_MASK;
  return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
}

std::int64_t deadline_of(const FutexCall& call) {
  if (call.timeout == nullptr) return 0;
  const bool is_absolute = (call.operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  if (!is_absolute) return now_ns() + nanoseconds(*call.timeout);
  const bool is_realtime = (call.operation & FUTEX_CLOCK_REALTIME) != 0;
  return deadline_at(call.timeout, is_realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC);
}

}  // namespace

LIGHT_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  const WaitScope scope(wait_for(WaitKind::condition, condition, mutex, without_limit(condition)));
  return LIGHT_REAL(pthread_cond_wait)(condition, mutex);
}

LIGHT_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                        const timespec* limit) {
  const WaitScope scope(
      wait_for(WaitKind::condition, condition, mutex, deadline_at(limit, clock_of(condition))));
  return LIGHT_REAL(pthread_cond_timedwait)(condition, mutex, limit);
}

LIGHT_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                        clockid_t clock, const timespec* limit) {
  const WaitScope scope(wait_for(WaitKind::condition, condition, mutex, deadline_at(limit, clock)));
  return LIGHT_REAL(pthread_cond_clockwait)(condition, mutex, clock, limit);
}

LIGHT_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  const WakeScope scope(condition);
  return LIGHT_REAL(pthread_cond_signal)(condition);
}

LIGHT_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  const WakeScope scope(condition);
  return LIGHT_REAL(pthread_cond_broadcast)(condition);
}

LIGHT_EXPORT int sem_wait(sem_t* semaphore) {
  return wait_semaphore(semaphore, without_limit(semaphore),
                        [&] { return LIGHT_REAL(sem_wait)(semaphore); });
}

LIGHT_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* limit) {
  return wait_semaphore(semaphore, deadline_at(limit, CLOCK_REALTIME),
                        [&] { return LIGHT_REAL(sem_timedwait)(semaphore, limit); });
}

LIGHT_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* limit) {
  return wait_semaphore(semaphore, deadline_at(limit, clock),
                        [&] { return LIGHT_REAL(sem_clockwait)(semaphore, clock, limit); });
}

LIGHT_EXPORT int sem_post(sem_t* semaphore) noexcept {
  const WakeScope scope(semaphore);
  return LIGHT_REAL(sem_post)(semaphore);
}

LIGHT_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  const WaitScope scope(wait_for(WaitKind::barrier, barrier, nullptr, 0));
  return LIGHT_REAL(pthread_barrier_wait)(barrier);
}

LIGHT_EXPORT long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  const auto call = [&] {
    return LIGHT_REAL(syscall)(number, arguments[0], arguments[1], arguments[2], arguments[3],
                               arguments[4], arguments[5]);
  };
  if (number != SYS_futex) return call();
  const FutexCall futex{reinterpret_cast<std::uint32_t*>(arguments[0]),
                        static_cast<int>(arguments[1]), static_cast<std::uint32_t>(arguments[2]),
                        reinterpret_cast<const timespec*>(arguments[3])};
  if (!is_futex_wait(futex)) {
    const WakeScope scope(futex.word);
    return call();
  }
  Wait wait = wait_for(WaitKind::futex, futex.word, nullptr, deadline_of(futex));
  wait.value = futex.value;
  const WaitScope scope(wait);
  return call();
}
