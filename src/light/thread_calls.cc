// SPDX-License-Identifier: Apache-2.0
//
// How threads are made and joined, as the program calls it. Inside the program under test
// (RADDLE_LIGHT).
#include <pthread.h>

#include "light/deadline.h"
#include "light/real.h"
#include "light/threads.h"

using namespace raddle::light;

namespace {

void* run_thread(void* record) {
  Thread& thread = *static_cast<Thread*>(record);
  adopt_thread(thread);
  return thread.start(thread.argument);
}

Wait wait_for_end(pthread_t handle, std::int64_t deadline_ns) {
  Wait wait;
  wait.kind = WaitKind::join;
  wait.object = thread_of_handle(handle);
  wait.deadline_ns = deadline_ns;
  return wait;
}

}  // namespace

LIGHT_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                void* (*start)(void*), void* argument) noexcept {
  Thread& thread = new_thread(start, argument);
  const int result = LIGHT_REAL(pthread_create)(handle, attributes, run_thread, &thread);
  if (result != 0)
    drop_thread(thread);
  else
    thread.handle = *handle;  // who joins it may come before it has started
  return result;
}

LIGHT_EXPORT int pthread_join(pthread_t handle, void** value) {
  const WaitScope scope(wait_for_end(handle, 0));
  return LIGHT_REAL(pthread_join)(handle, value);
}

LIGHT_EXPORT int pthread_timedjoin_np(pthread_t handle, void** value, const timespec* limit) {
  const WaitScope scope(wait_for_end(handle, deadline_at(limit, CLOCK_REALTIME)));
  return LIGHT_REAL(pthread_timedjoin_np)(handle, value, limit);
}

LIGHT_EXPORT int pthread_clockjoin_np(pthread_t handle, void** value, clockid_t clock,
                                      const timespec* limit) {
  const WaitScope scope(wait_for_end(handle, deadline_at(limit, clock)));
  return LIGHT_REAL(pthread_clockjoin_np)(handle, value, clock, limit);
}
