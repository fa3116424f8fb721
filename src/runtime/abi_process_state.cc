// SPDX-License-Identifier: Apache-2.0
//
// Calls that change what the kernel keeps of a process and what resident runs do not put back
// (resident.h). Target side. They do what they always do; only that they were made is noted.
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/runtime.h"

using namespace raddle::runtime;
using raddle::wire::ResidentEnd;

#define RADDLE_CHANGES(why, result, name, parameters, arguments) \
  RADDLE_EXPORT result name parameters noexcept {                \
    if (running()) end_residence(ResidentEnd::why);              \
    return RADDLE_REAL(name) arguments;                          \
  }

RADDLE_CHANGES(kernel_state, int, chroot, (const char* path), (path))
RADDLE_CHANGES(kernel_state, int, nice, (int by), (by))
RADDLE_CHANGES(kernel_state, int, unshare, (int flags), (flags))
RADDLE_CHANGES(kernel_state, int, setns, (int file, int kind), (file, kind))
RADDLE_CHANGES(kernel_state, int, personality, (unsigned long persona), (persona))
RADDLE_CHANGES(kernel_state, pid_t, setsid, (), ())
RADDLE_CHANGES(kernel_state, int, setpgid, (pid_t process, pid_t group), (process, group))
RADDLE_CHANGES(kernel_state, int, brk, (void* end), (end))
RADDLE_CHANGES(kernel_state, void*, sbrk, (intptr_t by), (by))

RADDLE_CHANGES(mappings, int, mprotect, (void* begin, size_t size, int protection),
               (begin, size, protection))

RADDLE_EXPORT int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  unsigned long a[4];
  for (unsigned long& argument : a) argument = va_arg(list, unsigned long);
  va_end(list);
  if (running()) end_residence(ResidentEnd::kernel_state);
  return RADDLE_REAL(prctl)(option, a[0], a[1], a[2], a[3]);
}

RADDLE_EXPORT void* mremap(void* begin, size_t size, size_t new_size, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* wanted = va_arg(list, void*);
  va_end(list);
  if (running()) end_residence(ResidentEnd::mappings);
  return RADDLE_REAL(mremap)(begin, size, new_size, flags, wanted);
}

RADDLE_EXPORT int madvise(void* begin, size_t size, int advice) noexcept {
  if (running()) end_residence(ResidentEnd::mappings);
  return RADDLE_REAL(madvise)(begin, size, advice);
}

// Their first parameters are enumerations in C++.
RADDLE_EXPORT int setrlimit(__rlimit_resource_t resource, const rlimit* limit) noexcept {
  if (running()) end_residence(ResidentEnd::kernel_state);
  return RADDLE_REAL(setrlimit)(resource, limit);
}
RADDLE_EXPORT int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  if (running()) end_residence(ResidentEnd::kernel_state);
  return RADDLE_REAL(setpriority)(which, who, priority);
}
