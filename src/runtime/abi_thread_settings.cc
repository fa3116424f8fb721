// SPDX-License-Identifier: Apache-2.0
//
// What can be asked and set of a thread: its name, its attributes, how it is scheduled. Target
// side. The kernel knows one thread only: its name is the first thread's.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "runtime/events.h"
#include "runtime/locate.h"
#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/runtime.h"
#include "runtime/thread_attributes.h"
#include "runtime/threads.h"

using namespace raddle::runtime;
using raddle::wire::ResidentEnd;

namespace {

// As natively, with the zero at its end; raddle_name_thread takes longer ones.
constexpr std::size_t kNativeNameMax = sizeof(Fiber::native_name);

void set_native_name(Fiber& fiber, const char* name, std::uintptr_t pc) {
  size_t length = strnlen(name, kNativeNameMax - 1);
  memset(fiber.native_name, 0, kNativeNameMax);
  memcpy(fiber.native_name, name, length);
  if (fiber.is_main) {
    note_change(kName);
    RADDLE_REAL(prctl)(PR_SET_NAME, fiber.native_name);
  }
  name_fiber(fiber, fiber.native_name, pc);
}

void copy_native_name(const Fiber& fiber, char* name) {
  const char* own =
      fiber.native_name[0] != '\0' ? fiber.native_name : program_invocation_short_name;
  size_t length = strnlen(own, kNativeNameMax - 1);
  memset(name, 0, kNativeNameMax);
  memcpy(name, own, length);
}

int set_scheduling(Fiber& fiber, int policy, int priority) {
  int error = scheduling_error(fiber, policy, priority);
  if (error != 0) return error;
  fiber.sched_policy = policy;
  fiber.sched_priority = priority;
  return 0;
}

// The thread that a call of the kernel's interface means, or null if it is none of this process.
Fiber* fiber_with_number(pid_t number) {
  if (!running() || number < 0) return nullptr;
  return number == 0 ? g.current : fiber_with_tid(number);
}

int fail(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

RADDLE_EXPORT int pthread_setname_np(pthread_t thread, const char* name) {
  if (off()) return RADDLE_REAL(pthread_setname_np)(thread, name);
  Fiber* fiber = fiber_of(thread);
  if (fiber == nullptr) return ESRCH;
  if (strlen(name) >= kNativeNameMax) return ERANGE;
  set_native_name(*fiber, name, RADDLE_PROGRAM_CALLER);
  return 0;
}

RADDLE_EXPORT int pthread_getname_np(pthread_t thread, char* name, size_t size) {
  if (off()) return RADDLE_REAL(pthread_getname_np)(thread, name, size);
  Fiber* fiber = fiber_of(thread);
  if (fiber == nullptr) return ESRCH;
  if (size < kNativeNameMax) return ERANGE;
  copy_native_name(*fiber, name);
  return 0;
}

RADDLE_EXPORT int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  unsigned long a[4];
  for (unsigned long& argument : a) argument = va_arg(list, unsigned long);
  va_end(list);
  if (!off() && option == PR_SET_NAME) {
    set_native_name(*g.current, reinterpret_cast<const char*>(a[0]), RADDLE_PROGRAM_CALLER);
    return 0;
  }
  if (!off() && option == PR_GET_NAME) {
    copy_native_name(*g.current, reinterpret_cast<char*>(a[0]));
    return 0;
  }
  bool gets = option == PR_GET_DUMPABLE || option == PR_GET_PDEATHSIG;
  if (running() && !gets) end_residence(ResidentEnd::kernel_state);
  return RADDLE_REAL(prctl)(option, a[0], a[1], a[2], a[3]);
}

RADDLE_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) {
  Fiber* fiber = off() ? nullptr : fiber_of(thread);
  if (fiber == nullptr) return RADDLE_REAL(pthread_getattr_np)(thread, attributes);
  if (fiber->is_main) {
    int error = RADDLE_REAL(pthread_getattr_np)(thread, attributes);
    if (error != 0) return error;
  } else {
    pthread_attr_init(attributes);
    std::uintptr_t size = fiber->stack_high - fiber->stack_low;
    // What was asked for, without what our own functions may need of it.
    if (fiber->stack_asked != 0 && fiber->stack_asked < size) size = fiber->stack_asked;
    pthread_attr_setstack(attributes, reinterpret_cast<void*>(fiber->stack_high - size), size);
    pthread_attr_setdetachstate(
        attributes, fiber->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  }
  sched_param parameters{.sched_priority = fiber->sched_priority};
  pthread_attr_setschedpolicy(attributes, fiber->sched_policy);
  return pthread_attr_setschedparam(attributes, &parameters), 0;
}

// Fibers share one kernel thread: on which processors they are to run is accepted and ignored.
RADDLE_EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* cpus) {
  if (off()) return RADDLE_REAL(pthread_setaffinity_np)(thread, size, cpus);
  return fiber_of(thread) != nullptr ? 0 : ESRCH;
}

RADDLE_EXPORT int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* cpus) {
  if (off()) return RADDLE_REAL(pthread_getaffinity_np)(thread, size, cpus);
  return RADDLE_REAL(pthread_getaffinity_np)(g.fibers[0].thread_pointer, size, cpus);
}

RADDLE_EXPORT int pthread_setschedparam(pthread_t thread, int policy,
                                        const sched_param* parameters) {
  if (off()) return RADDLE_REAL(pthread_setschedparam)(thread, policy, parameters);
  Fiber* fiber = fiber_of(thread);
  return fiber == nullptr ? ESRCH : set_scheduling(*fiber, policy, parameters->sched_priority);
}

RADDLE_EXPORT int pthread_getschedparam(pthread_t thread, int* policy, sched_param* parameters) {
  if (off()) return RADDLE_REAL(pthread_getschedparam)(thread, policy, parameters);
  const Fiber* fiber = fiber_of(thread);
  if (fiber == nullptr) return ESRCH;
  *policy = fiber->sched_policy;
  parameters->sched_priority = fiber->sched_priority;
  return 0;
}

RADDLE_EXPORT int pthread_setschedprio(pthread_t thread, int priority) {
  if (off()) return RADDLE_REAL(pthread_setschedprio)(thread, priority);
  Fiber* fiber = fiber_of(thread);
  return fiber == nullptr ? ESRCH : set_scheduling(*fiber, fiber->sched_policy, priority);
}

// The same by the numbers of gettid().
RADDLE_EXPORT int sched_setscheduler(pid_t who, int policy, const sched_param* wanted) noexcept {
  if (Fiber* fiber = fiber_with_number(who); fiber != nullptr && wanted != nullptr)
    return fail(set_scheduling(*fiber, policy, wanted->sched_priority));
  if (running()) end_residence(ResidentEnd::kernel_state);
  return RADDLE_REAL(sched_setscheduler)(who, policy, wanted);
}

RADDLE_EXPORT int sched_setparam(pid_t who, const sched_param* wanted) noexcept {
  if (Fiber* fiber = fiber_with_number(who); fiber != nullptr && wanted != nullptr)
    return fail(set_scheduling(*fiber, fiber->sched_policy, wanted->sched_priority));
  if (running()) end_residence(ResidentEnd::kernel_state);
  return RADDLE_REAL(sched_setparam)(who, wanted);
}

RADDLE_EXPORT int sched_getscheduler(pid_t who) noexcept {
  if (const Fiber* fiber = fiber_with_number(who)) return fiber->sched_policy;
  return RADDLE_REAL(sched_getscheduler)(who);
}

RADDLE_EXPORT int sched_getparam(pid_t who, sched_param* result) noexcept {
  const Fiber* fiber = fiber_with_number(who);
  if (fiber == nullptr || result == nullptr) return RADDLE_REAL(sched_getparam)(who, result);
  result->sched_priority = fiber->sched_priority;
  return 0;
}
