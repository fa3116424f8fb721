// SPDX-License-Identifier: Apache-2.0
//
// Users and groups of the process. Target side. The kernel keeps them for each thread, so libc
// sends a signal to all threads that it knows, which then make the same call. Here there is one
// kernel thread, which is not the one that libc takes it for: it makes the call, and that is all.
#include <errno.h>
#include <grp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/runtime.h"

using namespace raddle::runtime;

namespace {

constexpr auto kUnchanged = static_cast<id_t>(-1);

int change(long number, long a, long b = 0, long c = 0) {
  if (running()) end_residence(raddle::wire::ResidentEnd::kernel_state);
  return static_cast<int>(RADDLE_REAL(syscall)(number, a, b, c));
}

int fail(int error) {
  errno = error;
  return -1;
}

}  // namespace

RADDLE_EXPORT int setuid(uid_t user) noexcept {
  return off() ? RADDLE_REAL(setuid)(user) : change(SYS_setuid, user);
}

RADDLE_EXPORT int setgid(gid_t group) noexcept {
  return off() ? RADDLE_REAL(setgid)(group) : change(SYS_setgid, group);
}

RADDLE_EXPORT int seteuid(uid_t user) noexcept {
  if (off()) return RADDLE_REAL(seteuid)(user);
  return user == kUnchanged ? fail(EINVAL) : change(SYS_setresuid, kUnchanged, user, kUnchanged);
}

RADDLE_EXPORT int setegid(gid_t group) noexcept {
  if (off()) return RADDLE_REAL(setegid)(group);
  return group == kUnchanged ? fail(EINVAL) : change(SYS_setresgid, kUnchanged, group, kUnchanged);
}

RADDLE_EXPORT int setreuid(uid_t real, uid_t effective) noexcept {
  return off() ? RADDLE_REAL(setreuid)(real, effective) : change(SYS_setreuid, real, effective);
}

RADDLE_EXPORT int setregid(gid_t real, gid_t effective) noexcept {
  return off() ? RADDLE_REAL(setregid)(real, effective) : change(SYS_setregid, real, effective);
}

RADDLE_EXPORT int setresuid(uid_t real, uid_t effective, uid_t saved) noexcept {
  if (off()) return RADDLE_REAL(setresuid)(real, effective, saved);
  return change(SYS_setresuid, real, effective, saved);
}

RADDLE_EXPORT int setresgid(gid_t real, gid_t effective, gid_t saved) noexcept {
  if (off()) return RADDLE_REAL(setresgid)(real, effective, saved);
  return change(SYS_setresgid, real, effective, saved);
}

RADDLE_EXPORT int setgroups(size_t count, const gid_t* groups) noexcept {
  if (off()) return RADDLE_REAL(setgroups)(count, groups);
  return change(SYS_setgroups, static_cast<long>(count), reinterpret_cast<long>(groups));
}

RADDLE_EXPORT int initgroups(const char* user, gid_t group) {
  if (off()) return RADDLE_REAL(initgroups)(user, group);
  constexpr int kGroupsMax = 65536;  // the kernel's limit
  static gid_t groups[kGroupsMax];
  int count = kGroupsMax;
  if (getgrouplist(user, group, groups, &count) < 0) return fail(EINVAL);
  return setgroups(static_cast<size_t>(count), groups);
}
