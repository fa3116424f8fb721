// SPDX-License-Identifier: Apache-2.0
//
// How threads are made and joined, as the program calls it. Inside the program under test
// (RADDLE_LIGHT).
#include <pthread.h>

#include "light/deadline.h"
#include "light/enforcer.h"
#include "light/real.h"
#include "light/threads.h"

using namespace raddle::light;

namespace {

void* run_thread(void* record) {
  Thread& thread = *static_cast<Thread*>(record);
  adopt_thread(thread);
  return thread.start(thread.argument);
}

// Joins by `join`; the record is free then, unless a schedule may still ask for it.
template <class Join>
int join_thread(pthread_t handle, std::int64_t deadline_ns, Join join) {
  Thread* target = thread_of_handle(handle);
  Wait wait;
  wait.kind = WaitKind::join;
  wait.object = target;
  wait.deadline_ns = deadline_ns;
  int result = 0;
  {
    const WaitScope scope(wait);
    result = join();
  }
  if (result == 0 && target != nullptr && !enforcer::in_force()) drop_thread(*target);
  return result;
}

}  // namespace

LIGHT_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                void* (*start)(void*), void* argument) noexcept {
  Thread& thread = new_thread(start, argument);
  const int result = LIGHT_REAL(pthread_create)(handle, attributes, run_thread, &thread);
  if (result != 0) {
    drop_thread(thread);
    return result;
  }
  // Who joins it may come before it has started. If it has, it has written this itself.
  pthread_t none{};
  thread.handle.compare_exchange_strong(none, *handle);
  return result;
}

LIGHT_EXPORT int pthread_join(pthread_t handle, void** value) {
  return join_thread(handle, 0, [&] { return LIGHT_REAL(pthread_join)(handle, value); });
}

LIGHT_EXPORT int pthread_timedjoin_np(pthread_t handle, void** value, const timespec* limit) {
  return join_thread(handle, deadline_at(limit, CLOCK_REALTIME),
                     [&] { return LIGHT_REAL(pthread_timedjoin_np)(handle, value, limit); });
}

LIGHT_EXPORT int pthread_clockjoin_np(pthread_t handle, void** value, clockid_t clock,
                                      const timespec* limit) {
  return join_thread(handle, deadline_at(limit, clock),
                     [&] { return LIGHT_REAL(pthread_clockjoin_np)(handle, value, clock, limit); });
}
