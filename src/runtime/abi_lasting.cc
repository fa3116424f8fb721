// SPDX-License-Identifier: Apache-2.0
//
// Calls whose effects a run that goes on from a checkpoint would lack: those that change the file
// system (the run before it has gone on changing it), make objects that outlive a process, or tell
// the program which process it is. Target side. They do what they always do; only that they were
// made is noted (checkpoint.h). Opening a file is a cancellation point.
#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "runtime/cancel.h"
#include "runtime/checkpoint.h"
#include "runtime/real.h"
#include "runtime/resident.h"

using namespace raddle::runtime;

namespace {

bool changes_files(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
}

bool changes_files(const char* mode) { return mode[0] != 'r' || strchr(mode, '+') != nullptr; }

// As far as libc looks at a stream's mode.
bool has_letter(const char* mode, char letter) {
  return memchr(mode, letter, strnlen(mode, 7)) != nullptr;
}

// The mode is there only if a file may be made.
mode_t mode_of(int flags, va_list list) {
  bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return makes ? va_arg(list, mode_t) : 0;
}

}  // namespace

#define RADDLE_LASTING(result, name, parameters, arguments) \
  RADDLE_EXPORT result name parameters {                    \
    note_lasting_effect();                                  \
    return RADDLE_REAL(name) arguments;                     \
  }

// The same where it opens a file.
#define RADDLE_LASTING_POINT(result, name, parameters, arguments) \
  RADDLE_EXPORT result name parameters {                          \
    RADDLE_CANCELLATION_POINT();                                  \
    note_lasting_effect();                                        \
    return RADDLE_REAL(name) arguments;                           \
  }

#define RADDLE_OPEN(name)                                    \
  RADDLE_EXPORT int name(const char* path, int flags, ...) { \
    va_list list;                                            \
    va_start(list, flags);                                   \
    mode_t mode = mode_of(flags, list);                      \
    va_end(list);                                            \
    RADDLE_CANCELLATION_POINT();                             \
    if (changes_files(flags)) note_lasting_effect();         \
    return RADDLE_REAL(name)(path, flags, mode);             \
  }
RADDLE_OPEN(open)
RADDLE_OPEN(open64)

#define RADDLE_OPEN_AT(name)                                             \
  RADDLE_EXPORT int name(int folder, const char* path, int flags, ...) { \
    va_list list;                                                        \
    va_start(list, flags);                                               \
    mode_t mode = mode_of(flags, list);                                  \
    va_end(list);                                                        \
    RADDLE_CANCELLATION_POINT();                                         \
    if (changes_files(flags)) note_lasting_effect();                     \
    return RADDLE_REAL(name)(folder, path, flags, mode);                 \
  }
RADDLE_OPEN_AT(openat)
RADDLE_OPEN_AT(openat64)

RADDLE_EXPORT mqd_t mq_open(const char* name, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  mq_attr* attributes = (flags & O_CREAT) != 0 ? va_arg(list, mq_attr*) : nullptr;
  va_end(list);
  note_lasting_effect();
  return RADDLE_REAL(mq_open)(name, flags, mode, attributes);
}

#define RADDLE_FOPEN(name)                                       \
  RADDLE_EXPORT FILE* name(const char* path, const char* mode) { \
    if (!has_letter(mode, 'c')) RADDLE_CANCELLATION_POINT();     \
    if (changes_files(mode)) note_lasting_effect();              \
    return RADDLE_REAL(name)(path, mode);                        \
  }
RADDLE_FOPEN(fopen)
RADDLE_FOPEN(fopen64)

#define RADDLE_REOPEN(name)                                                    \
  RADDLE_EXPORT FILE* name(const char* path, const char* mode, FILE* stream) { \
    RADDLE_CANCELLATION_POINT();                                               \
    note_lasting_effect();                                                     \
    note_change(kInheritedFiles);                                              \
    return RADDLE_REAL(name)(path, mode, stream);                              \
  }
RADDLE_REOPEN(freopen)
RADDLE_REOPEN(freopen64)

RADDLE_LASTING_POINT(FILE*, tmpfile, (), ())
RADDLE_LASTING_POINT(FILE*, tmpfile64, (), ())
RADDLE_LASTING_POINT(int, creat, (const char* path, mode_t mode), (path, mode))
RADDLE_LASTING_POINT(int, creat64, (const char* path, mode_t mode), (path, mode))
RADDLE_LASTING_POINT(int, mkstemp, (char* path), (path))
RADDLE_LASTING_POINT(int, mkstemp64, (char* path), (path))
RADDLE_LASTING_POINT(int, mkostemp, (char* path, int flags), (path, flags))
RADDLE_LASTING_POINT(int, mkostemp64, (char* path, int flags), (path, flags))
RADDLE_LASTING_POINT(int, mkstemps, (char* path, int suffix), (path, suffix))
RADDLE_LASTING_POINT(int, mkstemps64, (char* path, int suffix), (path, suffix))
RADDLE_LASTING_POINT(int, mkostemps, (char* path, int suffix, int flags), (path, suffix, flags))
RADDLE_LASTING_POINT(int, mkostemps64, (char* path, int suffix, int flags), (path, suffix, flags))
RADDLE_LASTING(char*, mkdtemp, (char* path) noexcept, (path))
RADDLE_LASTING(int, remove, (const char* path) noexcept, (path))
RADDLE_LASTING(int, unlink, (const char* path) noexcept, (path))
RADDLE_LASTING(int, unlinkat, (int folder, const char* path, int flags) noexcept,
               (folder, path, flags))
RADDLE_LASTING(int, rename, (const char* from, const char* to) noexcept, (from, to))
RADDLE_LASTING(int, renameat, (int from, const char* name, int to, const char* new_name) noexcept,
               (from, name, to, new_name))
RADDLE_LASTING(int, renameat2,
               (int from, const char* name, int to, const char* new_name, unsigned flags) noexcept,
               (from, name, to, new_name, flags))
RADDLE_LASTING(int, link, (const char* from, const char* to) noexcept, (from, to))
RADDLE_LASTING(int, linkat,
               (int from, const char* name, int to, const char* new_name, int flags) noexcept,
               (from, name, to, new_name, flags))
RADDLE_LASTING(int, symlink, (const char* from, const char* to) noexcept, (from, to))
RADDLE_LASTING(int, symlinkat, (const char* from, int folder, const char* to) noexcept,
               (from, folder, to))
RADDLE_LASTING(int, mkdir, (const char* path, mode_t mode) noexcept, (path, mode))
RADDLE_LASTING(int, mkdirat, (int folder, const char* path, mode_t mode) noexcept,
               (folder, path, mode))
RADDLE_LASTING(int, rmdir, (const char* path) noexcept, (path))
RADDLE_LASTING(int, mkfifo, (const char* path, mode_t mode) noexcept, (path, mode))
RADDLE_LASTING(int, mknod, (const char* path, mode_t mode, dev_t device) noexcept,
               (path, mode, device))
RADDLE_LASTING(int, truncate, (const char* path, off_t size) noexcept, (path, size))
RADDLE_LASTING(int, truncate64, (const char* path, off64_t size) noexcept, (path, size))
RADDLE_LASTING(int, chmod, (const char* path, mode_t mode) noexcept, (path, mode))
RADDLE_LASTING(int, utimensat,
               (int folder, const char* path, const timespec* times, int flags) noexcept,
               (folder, path, times, flags))
RADDLE_LASTING(int, utime, (const char* path, const utimbuf* times) noexcept, (path, times))
RADDLE_LASTING(int, utimes, (const char* path, const timeval* times) noexcept, (path, times))
RADDLE_LASTING(int, shm_open, (const char* name, int flags, mode_t mode), (name, flags, mode))
RADDLE_LASTING(int, shm_unlink, (const char* name), (name))
RADDLE_LASTING(int, mq_unlink, (const char* name) noexcept, (name))
RADDLE_LASTING(int, shmget, (key_t key, size_t size, int flags) noexcept, (key, size, flags))
RADDLE_LASTING(int, semget, (key_t key, int count, int flags) noexcept, (key, count, flags))
RADDLE_LASTING(int, msgget, (key_t key, int flags) noexcept, (key, flags))

RADDLE_LASTING(pid_t, getpid, () noexcept, ())
RADDLE_LASTING(pid_t, getppid, () noexcept, ())
RADDLE_LASTING(pid_t, getpgid, (pid_t process) noexcept, (process))
RADDLE_LASTING(pid_t, getsid, (pid_t process) noexcept, (process))
