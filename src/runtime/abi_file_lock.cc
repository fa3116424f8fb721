// SPDX-License-Identifier: Apache-2.0
//
// flock, lockf and the waiting locks of fcntl. Target side. A lock is tried without waiting; if it
// is taken, the thread waits until some thread has done something that may have released it, and
// tries again. Whether the holder is this process is read from /proc/locks, only when nobody can
// run.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runtime/descriptors.h"
#include "runtime/file_locks.h"
#include "runtime/io_step.h"
#include "runtime/outside.h"
#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/start.h"

using namespace raddle::runtime;

namespace raddle::runtime {
namespace {

// "1: FLOCK  ADVISORY  WRITE 1234 fe:01:567 0 EOF"; a waiter's line has "->" after the number.
bool is_foreign_lock(const char* line, const char* place, pid_t self) {
  if (strstr(line, place) == nullptr || strstr(line, "->") != nullptr) return false;
  int holder = 0;
  return sscanf(line, "%*s %*s %*s %*s %d", &holder) != 1 || holder != self;
}

// Tries until it works or fails for another reason than a lock held by somebody else.
template <class Try>
int lock_in_turn(int file, bool cancellation_point, std::uintptr_t pc, Try attempt) {
  if (cancellation_point) act_on_cancel(pc);
  PendingOp& op = next_op(OpKind::file_lock, site_of(pc));
  note_progress();
  pass_point({.cancellation_point = cancellation_point});
  int result = attempt();
  while (result != 0 && (errno == EWOULDBLOCK || errno == EACCES)) {
    emit_io(op, EWOULDBLOCK);
    op.serial = ++g.serial;
    OutsideWait wait{.lock_file = file};
    pass_outside_point(wait, {.cancellation_point = cancellation_point});
    result = attempt();
  }
  int error = errno;
  emit_io(op, result != 0 ? error : 0);
  if (result == 0) {
    order_file_locks();
    note_lock_change();
  }
  errno = error;
  return result;
}

}  // namespace

bool locks_are_ours(int file) {
  struct stat info {};
  char text[16384];
  if (fstat(file, &info) != 0) return false;
  int list = RADDLE_REAL(open)("/proc/locks", O_RDONLY | O_CLOEXEC);
  if (list < 0) return false;
  ssize_t length = RADDLE_REAL(read)(list, text, sizeof text - 1);
  RADDLE_REAL(close)(list);
  if (length <= 0 || length == sizeof text - 1) return false;  // unreadable or too many to judge
  text[length] = '\0';
  char place[64];
  snprintf(place, sizeof place, " %02x:%02x:%lu ", major(info.st_dev), minor(info.st_dev),
           static_cast<unsigned long>(info.st_ino));
  bool found = false;
  for (char* line = text; *line != '\0';) {
    char* end = strchr(line, '\n');
    if (end != nullptr) *end = '\0';
    if (is_foreign_lock(line, place, getpid())) return false;
    found = found || strstr(line, place) != nullptr;
    if (end == nullptr) break;
    line = end + 1;
  }
  return found;
}

}  // namespace raddle::runtime

RADDLE_EXPORT int flock(int file, int operation) {
  if (!running()) return RADDLE_REAL(flock)(file, operation);
  if (was_inherited(file)) note_change(kInheritedFiles);
  auto attempt = [=] { return RADDLE_REAL(flock)(file, operation | LOCK_NB); };
  if ((operation & (LOCK_NB | LOCK_UN)) == 0)
    return lock_in_turn(file, false, RADDLE_PROGRAM_CALLER, attempt);
  PendingOp& op = next_op(OpKind::file_lock, site_of(RADDLE_PROGRAM_CALLER));
  note_progress();
  pass_point();
  int result = attempt();
  int error = errno;
  emit_io(op, result != 0 ? error : 0);
  if (result == 0) {
    order_file_locks();
    note_lock_change();
  }
  errno = error;
  return result;
}

RADDLE_EXPORT int lockf(int file, int operation, off_t length) {
  if (was_inherited(file)) note_change(kInheritedFiles);
  if (!running() || operation != F_LOCK) {
    note_lock_change();
    order_file_locks();
    return RADDLE_REAL(lockf)(file, operation, length);
  }
  return lock_in_turn(file, true, RADDLE_PROGRAM_CALLER,
                      [=] { return RADDLE_REAL(lockf)(file, F_TLOCK, length); });
}

RADDLE_EXPORT int lockf64(int file, int operation, off_t length) {
  return lockf(file, operation, length);
}

RADDLE_EXPORT int fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  if (!running()) return RADDLE_REAL(fcntl)(file, command, argument);
  if (was_inherited(file)) note_change(kInheritedFiles);
  if (command == F_SETLKW || command == F_OFD_SETLKW) {
    int attempt = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
    return lock_in_turn(file, true, RADDLE_PROGRAM_CALLER,
                        [=] { return RADDLE_REAL(fcntl)(file, attempt, argument); });
  }
  int result = RADDLE_REAL(fcntl)(file, command, argument);
  if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC))
    copy_descriptor(file, result);
  if (command == F_SETLK || command == F_OFD_SETLK) {
    order_file_locks();
    note_lock_change();
  }
  return result;
}

RADDLE_EXPORT int fcntl64(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  return fcntl(file, command, argument);
}
