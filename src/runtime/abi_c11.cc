// SPDX-License-Identifier: Apache-2.0
//
// C11 threads. Target side. glibc's types have the layout of their pthread counterparts, but its
// functions reach them without a call that could be interposed; so they are forwarded here.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <threads.h>

#include "runtime/real.h"
#include "runtime/runtime.h"

using namespace raddle::runtime;

namespace {

pthread_mutex_t* as_mutex(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* as_cond(cnd_t* cond) { return reinterpret_cast<pthread_cond_t*>(cond); }

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));

int to_c11(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

struct Start {
  thrd_start_t function;
  void* argument;
};

// The result of a C11 thread is an int, kept in the pointer.
void* run_start(void* argument) {
  Start start = *static_cast<Start*>(argument);
  free(argument);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(start.function(start.argument)));
}

}  // namespace

RADDLE_EXPORT int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  if (off()) return RADDLE_REAL(thrd_create)(thread, function, argument);
  auto* start = static_cast<Start*>(malloc(sizeof(Start)));
  if (start == nullptr) return thrd_nomem;
  *start = {function, argument};
  int error = pthread_create(thread, nullptr, run_start, start);
  if (error != 0) free(start);
  return to_c11(error);
}

RADDLE_EXPORT int thrd_join(thrd_t thread, int* result) {
  if (off()) return RADDLE_REAL(thrd_join)(thread, result);
  void* value = nullptr;
  int error = pthread_join(thread, &value);
  if (error == 0 && result != nullptr)
    *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return to_c11(error);
}

RADDLE_EXPORT int thrd_detach(thrd_t thread) {
  if (off()) return RADDLE_REAL(thrd_detach)(thread);
  return to_c11(pthread_detach(thread));
}

RADDLE_EXPORT void thrd_exit(int result) {
  pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}

RADDLE_EXPORT int thrd_sleep(const timespec* span, timespec* left) {
  if (off()) return RADDLE_REAL(thrd_sleep)(span, left);
  return nanosleep(span, left);
}

RADDLE_EXPORT void thrd_yield() { sched_yield(); }

RADDLE_EXPORT int mtx_init(mtx_t* mutex, int type) { return RADDLE_REAL(mtx_init)(mutex, type); }

RADDLE_EXPORT void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(as_mutex(mutex)); }

RADDLE_EXPORT int mtx_lock(mtx_t* mutex) { return to_c11(pthread_mutex_lock(as_mutex(mutex))); }

RADDLE_EXPORT int mtx_trylock(mtx_t* mutex) {
  return to_c11(pthread_mutex_trylock(as_mutex(mutex)));
}

RADDLE_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* when) {
  return to_c11(pthread_mutex_timedlock(as_mutex(mutex), when));
}

RADDLE_EXPORT int mtx_unlock(mtx_t* mutex) { return to_c11(pthread_mutex_unlock(as_mutex(mutex))); }

RADDLE_EXPORT int cnd_init(cnd_t* cond) {
  return to_c11(pthread_cond_init(as_cond(cond), nullptr));
}

RADDLE_EXPORT void cnd_destroy(cnd_t* cond) { pthread_cond_destroy(as_cond(cond)); }

RADDLE_EXPORT int cnd_wait(cnd_t* cond, mtx_t* mutex) {
  return to_c11(pthread_cond_wait(as_cond(cond), as_mutex(mutex)));
}

RADDLE_EXPORT int cnd_timedwait(cnd_t* cond, mtx_t* mutex, const timespec* when) {
  return to_c11(pthread_cond_timedwait(as_cond(cond), as_mutex(mutex), when));
}

RADDLE_EXPORT int cnd_signal(cnd_t* cond) { return to_c11(pthread_cond_signal(as_cond(cond))); }

RADDLE_EXPORT int cnd_broadcast(cnd_t* cond) {
  return to_c11(pthread_cond_broadcast(as_cond(cond)));
}

RADDLE_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return to_c11(pthread_key_create(key, destructor));
}

RADDLE_EXPORT void tss_delete(tss_t key) { pthread_key_delete(key); }

RADDLE_EXPORT void* tss_get(tss_t key) { return pthread_getspecific(key); }

RADDLE_EXPORT int tss_set(tss_t key, void* value) {
  return to_c11(pthread_setspecific(key, value));
}

RADDLE_EXPORT void call_once(once_flag* flag, void (*function)()) {
  pthread_once(reinterpret_cast<pthread_once_t*>(flag), function);
}
