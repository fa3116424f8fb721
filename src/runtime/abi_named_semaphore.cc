// SPDX-License-Identifier: Apache-2.0
//
// Named semaphores: sem_open, sem_close, sem_unlink. Target side. They exist in the process only,
// and only for one run, found by name: what another process posts is not seen, and nothing is left
// behind in /dev/shm that would make the next run differ.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/shared_objects.h"

using namespace raddle::runtime;

namespace {

constexpr unsigned kNamedMax = 256;

struct Named {
  sem_t semaphore;
  unsigned opened;  // sem_open calls without their sem_close
  bool linked;      // has its name
  char name[NAME_MAX + 1];
};
Named table[kNamedMax];

sem_t* fail(int error) {
  errno = error;
  return SEM_FAILED;
}

// The name without its slashes at the front; null and errno if it is none.
const char* checked_name(const char* name) {
  while (*name == '/') ++name;
  std::size_t length = strlen(name);
  int error = 0;
  if (length == 0 || strchr(name, '/') != nullptr) error = EINVAL;
  // libc keeps "sem." before it in a file's name.
  if (length + 4 > NAME_MAX) error = ENAMETOOLONG;
  errno = error != 0 ? error : errno;
  return error == 0 ? name : nullptr;
}

Named* find(const char* name) {
  for (Named& named : table)
    if (named.linked && strcmp(named.name, name) == 0) return &named;
  return nullptr;
}

Named* find(const sem_t* semaphore) {
  for (Named& named : table)
    if (&named.semaphore == semaphore && named.opened > 0) return &named;
  return nullptr;
}

}  // namespace

namespace raddle::runtime {

bool is_named(const sem_t* semaphore) { return find(semaphore) != nullptr; }

}  // namespace raddle::runtime

namespace {

sem_t* create(const char* name, unsigned value) {
  if (value > SEM_VALUE_MAX) return fail(EINVAL);
  for (Named& named : table) {
    if (named.linked || named.opened > 0) continue;
    sem_init(&named.semaphore, 0, value);
    named.opened = 1;
    named.linked = true;
    strcpy(named.name, name);
    return &named.semaphore;
  }
  return fail(ENFILE);
}

}  // namespace

RADDLE_EXPORT sem_t* sem_open(const char* name, int flags, ...) {
  mode_t mode = 0;
  unsigned value = 0;
  if ((flags & O_CREAT) != 0) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    value = va_arg(list, unsigned);
    va_end(list);
  }
  if (off()) return RADDLE_REAL(sem_open)(name, flags, mode, value);
  name = checked_name(name);
  if (name == nullptr) return SEM_FAILED;
  Named* named = find(name);
  if (named == nullptr) return (flags & O_CREAT) != 0 ? create(name, value) : fail(ENOENT);
  if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return fail(EEXIST);
  ++named->opened;
  return &named->semaphore;
}

RADDLE_EXPORT int sem_close(sem_t* semaphore) {
  if (off()) return RADDLE_REAL(sem_close)(semaphore);
  Named* named = find(semaphore);
  if (named == nullptr) {
    errno = EINVAL;
    return -1;
  }
  --named->opened;
  return 0;
}

RADDLE_EXPORT int sem_unlink(const char* name) {
  if (off()) return RADDLE_REAL(sem_unlink)(name);
  name = checked_name(name);
  Named* named = name != nullptr ? find(name) : nullptr;
  if (named == nullptr) {
    if (name != nullptr) errno = ENOENT;
    return -1;
  }
  named->linked = false;
  return 0;
}
