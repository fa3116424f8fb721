// SPDX-License-Identifier: Apache-2.0
//
// Calls that change what the kernel keeps of a process. Target side. They do what they always do;
// only that they were made is noted, for resident runs (resident.h): what can be undone is undone
// after the run, everything else ends the process then.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/runtime.h"

using namespace raddle::runtime;
using raddle::wire::ResidentEnd;

namespace {

void cannot_be_undone(ResidentEnd why) {
  if (running()) end_residence(why);
}

}  // namespace

// What cannot be undone.
#define RADDLE_CHANGES(why, result, name, parameters, arguments) \
  RADDLE_EXPORT result name parameters noexcept {                \
    cannot_be_undone(ResidentEnd::why);                          \
    return RADDLE_REAL(name) arguments;                          \
  }

RADDLE_CHANGES(kernel_state, int, chroot, (const char* path), (path))
RADDLE_CHANGES(kernel_state, int, nice, (int by), (by))
RADDLE_CHANGES(kernel_state, int, unshare, (int flags), (flags))
RADDLE_CHANGES(kernel_state, int, setns, (int file, int kind), (file, kind))
RADDLE_CHANGES(kernel_state, int, personality, (unsigned long persona), (persona))
RADDLE_CHANGES(kernel_state, pid_t, setsid, (), ())
RADDLE_CHANGES(kernel_state, int, setpgid, (pid_t process, pid_t group), (process, group))
RADDLE_CHANGES(kernel_state, int, sched_setaffinity, (pid_t who, size_t size, const cpu_set_t* set),
               (who, size, set))
RADDLE_CHANGES(mappings, int, mlock, (const void* begin, size_t size), (begin, size))
RADDLE_CHANGES(mappings, void*, shmat, (int memory, const void* where, int flags),
               (memory, where, flags))

// Would lock all that raddle has reserved for itself. Whether memory is locked makes no difference.
RADDLE_EXPORT int mlockall(int flags) noexcept { return off() ? RADDLE_REAL(mlockall)(flags) : 0; }

RADDLE_EXPORT int munlockall() noexcept { return off() ? RADDLE_REAL(munlockall)() : 0; }

RADDLE_EXPORT int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  cannot_be_undone(ResidentEnd::kernel_state);
  return RADDLE_REAL(setpriority)(which, who, priority);
}

// What can be undone.
#define RADDLE_NOTED(part, result, name, parameters, arguments) \
  RADDLE_EXPORT result name parameters {                        \
    note_change(part);                                          \
    return RADDLE_REAL(name) arguments;                         \
  }

RADDLE_NOTED(kDirectory, int, chdir, (const char* path) noexcept, (path))
RADDLE_NOTED(kDirectory, int, fchdir, (int folder) noexcept, (folder))
RADDLE_NOTED(kFileMode, mode_t, umask, (mode_t mask) noexcept, (mask))
RADDLE_NOTED(kSignals, int, sigaltstack, (const stack_t* stack, stack_t* before) noexcept,
             (stack, before))
RADDLE_NOTED(kInheritedFiles, int, fcloseall, (), ())
RADDLE_NOTED(kMappings, int, brk, (void* end) noexcept, (end))
RADDLE_NOTED(kMappings, void*, sbrk, (intptr_t by) noexcept, (by))

// Their first parameters are enumerations in C++.
RADDLE_NOTED(kLimits, int, setrlimit, (__rlimit_resource_t resource, const rlimit* limit) noexcept,
             (resource, limit))
RADDLE_NOTED(kLimits, int, setrlimit64,
             (__rlimit_resource_t resource, const rlimit64* limit) noexcept, (resource, limit))
RADDLE_NOTED(kLimits, int, prlimit,
             (pid_t process, __rlimit_resource resource, const rlimit* limit,
              rlimit* before) noexcept,
             (process, resource, limit, before))
RADDLE_NOTED(kLimits, int, prlimit64,
             (pid_t process, __rlimit_resource resource, const rlimit64* limit,
              rlimit64* before) noexcept,
             (process, resource, limit, before))

RADDLE_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  note_change(kInheritedFiles);
  OwnDescriptors own = own_descriptors();
  if (own.end <= first || own.first > last) return RADDLE_REAL(close_range)(first, last, flags);
  // Around those that the program does not know of.
  int before = 0, after = 0;
  if (first < own.first) before = RADDLE_REAL(close_range)(first, own.first - 1, flags);
  if (own.end <= last) after = RADDLE_REAL(close_range)(own.end, last, flags);
  return before != 0 ? before : after;
}

RADDLE_EXPORT void closefrom(int first) noexcept {
  close_range(first < 0 ? 0u : static_cast<unsigned>(first), ~0u, 0);
}

RADDLE_EXPORT int ioctl(int file, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  void* argument = va_arg(list, void*);
  va_end(list);
  note_change(kInheritedFiles);
  return RADDLE_REAL(ioctl)(file, request, argument);
}

#define RADDLE_MAP(name)                                                                       \
  RADDLE_EXPORT void* name(void* where, size_t size, int protection, int flags, int file,      \
                           off_t offset) noexcept {                                            \
    note_change(kMappings);                                                                    \
    if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) == MAP_FIXED) note_discarded(where, size); \
    return RADDLE_REAL(name)(where, size, protection, flags, file, offset);                    \
  }
RADDLE_MAP(mmap)
RADDLE_MAP(mmap64)

RADDLE_EXPORT int munmap(void* begin, size_t size) noexcept {
  note_discarded(begin, size);
  return RADDLE_REAL(munmap)(begin, size);
}

RADDLE_EXPORT int mprotect(void* begin, size_t size, int protection) noexcept {
  note_protected(begin, size);
  return RADDLE_REAL(mprotect)(begin, size, protection);
}

RADDLE_EXPORT void* mremap(void* begin, size_t size, size_t new_size, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* wanted = va_arg(list, void*);
  va_end(list);
  note_discarded(begin, size > new_size ? size : new_size);
  if ((flags & MREMAP_FIXED) != 0) note_discarded(wanted, new_size);
  return RADDLE_REAL(mremap)(begin, size, new_size, flags, wanted);
}

RADDLE_EXPORT int madvise(void* begin, size_t size, int advice) noexcept {
  bool gives_back = advice == MADV_DONTNEED || advice == MADV_FREE;
  bool is_a_hint = advice == MADV_NORMAL || advice == MADV_RANDOM || advice == MADV_SEQUENTIAL ||
                   advice == MADV_WILLNEED || advice == MADV_HUGEPAGE || advice == MADV_NOHUGEPAGE;
  if (gives_back)
    note_discarded(begin, size);
  else if (!is_a_hint)
    cannot_be_undone(ResidentEnd::mappings);
  return RADDLE_REAL(madvise)(begin, size, advice);
}
