// SPDX-License-Identifier: Apache-2.0
//
// Mutexes, reader-writer locks and pthread_once as the program calls them: each is tried first, and
// only if that fails the wait is noted. Inside the program under test (RADDLE_LIGHT).
#include <errno.h>
#include <pthread.h>

#include "light/deadline.h"
#include "light/real.h"
#include "light/threads.h"

using namespace raddle::light;

namespace {

Wait wait_for(WaitKind kind, const void* object, std::int64_t deadline_ns = 0) {
  Wait wait;
  wait.kind = kind;
  wait.object = object;
  wait.deadline_ns = deadline_ns;
  return wait;
}

bool is_own(const pthread_mutex_t* mutex) {
  return __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED) == current_thread().tid;
}

Wait wait_for_mutex(const pthread_mutex_t* mutex, std::int64_t deadline_ns = 0) {
  Wait wait = wait_for(WaitKind::mutex, mutex, deadline_ns);
  wait.value = is_own(mutex) ? 1 : 0;
  return wait;
}

// Waits by `slow` if `fast` did not succeed at once.
template <class Fast, class Slow>
int lock_rwlock(pthread_rwlock_t* lock, std::int64_t deadline_ns, Fast fast, Slow slow) {
  int result = fast();
  if (result == EBUSY || result == EAGAIN) {
    const WaitScope scope(wait_for(WaitKind::rwlock, lock, deadline_ns));
    result = slow();
  }
  if (result == 0) hold(lock);
  return result;
}

}  // namespace

LIGHT_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  const int result = LIGHT_REAL(pthread_mutex_trylock)(mutex);
  if (__builtin_expect(result != EBUSY, 1)) return result;
  // Refused, not waited for.
  if ((mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK && is_own(mutex))
    return LIGHT_REAL(pthread_mutex_lock)(mutex);
  const WaitScope scope(wait_for_mutex(mutex));
  return LIGHT_REAL(pthread_mutex_lock)(mutex);
}

LIGHT_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* limit) noexcept {
  const int result = LIGHT_REAL(pthread_mutex_trylock)(mutex);
  if (result != EBUSY) return result;
  const WaitScope scope(wait_for_mutex(mutex, deadline_at(limit, CLOCK_REALTIME)));
  return LIGHT_REAL(pthread_mutex_timedlock)(mutex, limit);
}

LIGHT_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                         const timespec* limit) noexcept {
  const int result = LIGHT_REAL(pthread_mutex_trylock)(mutex);
  if (result != EBUSY) return result;
  const WaitScope scope(wait_for_mutex(mutex, deadline_at(limit, clock)));
  return LIGHT_REAL(pthread_mutex_clocklock)(mutex, clock, limit);
}

LIGHT_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  return lock_rwlock(
      lock, 0, [&] { return LIGHT_REAL(pthread_rwlock_tryrdlock)(lock); },
      [&] { return LIGHT_REAL(pthread_rwlock_rdlock)(lock); });
}

LIGHT_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  return lock_rwlock(
      lock, 0, [&] { return LIGHT_REAL(pthread_rwlock_trywrlock)(lock); },
      [&] { return LIGHT_REAL(pthread_rwlock_wrlock)(lock); });
}

LIGHT_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock,
                                            const timespec* limit) noexcept {
  return lock_rwlock(
      lock, deadline_at(limit, CLOCK_REALTIME),
      [&] { return LIGHT_REAL(pthread_rwlock_tryrdlock)(lock); },
      [&] { return LIGHT_REAL(pthread_rwlock_timedrdlock)(lock, limit); });
}

LIGHT_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock,
                                            const timespec* limit) noexcept {
  return lock_rwlock(
      lock, deadline_at(limit, CLOCK_REALTIME),
      [&] { return LIGHT_REAL(pthread_rwlock_trywrlock)(lock); },
      [&] { return LIGHT_REAL(pthread_rwlock_timedwrlock)(lock, limit); });
}

LIGHT_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                            const timespec* limit) noexcept {
  return lock_rwlock(
      lock, deadline_at(limit, clock), [&] { return LIGHT_REAL(pthread_rwlock_tryrdlock)(lock); },
      [&] { return LIGHT_REAL(pthread_rwlock_clockrdlock)(lock, clock, limit); });
}

LIGHT_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                            const timespec* limit) noexcept {
  return lock_rwlock(
      lock, deadline_at(limit, clock), [&] { return LIGHT_REAL(pthread_rwlock_trywrlock)(lock); },
      [&] { return LIGHT_REAL(pthread_rwlock_clockwrlock)(lock, clock, limit); });
}

LIGHT_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  const int result = LIGHT_REAL(pthread_rwlock_tryrdlock)(lock);
  if (result == 0) hold(lock);
  return result;
}

LIGHT_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  const int result = LIGHT_REAL(pthread_rwlock_trywrlock)(lock);
  if (result == 0) hold(lock);
  return result;
}

LIGHT_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  let_go(lock);
  return LIGHT_REAL(pthread_rwlock_unlock)(lock);
}

// In glibc's control, 1 says that somebody runs the function and 2 that it is done. If two come at
// the same time, both note to run it, and the one that waits is found by a look.
LIGHT_EXPORT int pthread_once(pthread_once_t* control, void (*function)()) {
  const int state = __atomic_load_n(control, __ATOMIC_ACQUIRE);
  if ((state & 2) != 0) return 0;
  if ((state & 1) != 0) {
    const WaitScope scope(wait_for(WaitKind::once, control));
    return LIGHT_REAL(pthread_once)(control, function);
  }
  hold(control);
  const int result = LIGHT_REAL(pthread_once)(control, function);
  let_go(control);
  return result;
}
