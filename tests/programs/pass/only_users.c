// SPDX-License-Identifier: Apache-2.0
// A thread sets the users and groups of the process, to what they are; another one goes on.
// SCHEDULES: 20
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_int turns;

static void* set_all(void* unused) {
  uid_t user = getuid();
  gid_t group = getgid();
  assert(setuid(user) == 0 && seteuid(user) == 0 && setreuid(user, user) == 0);
  assert(setgid(group) == 0 && setegid(group) == 0 && setregid(group, group) == 0);
  assert(setresuid(user, user, user) == 0 && setresgid(group, group, group) == 0);
  assert(seteuid((uid_t)-1) == -1 && errno == EINVAL);
  gid_t groups[64];
  int count = getgroups(64, groups);
  if (count >= 0) assert(setgroups((size_t)count, groups) == 0 || errno == EPERM);
  assert(getuid() == user && geteuid() == user && getgid() == group && getegid() == group);
  atomic_fetch_add(&turns, 1);
  return unused;
}

static void* go_on(void* unused) {
  for (int i = 0; i < 3; ++i) atomic_fetch_add(&turns, 1);
  return unused;
}

int main(void) {
  pthread_t setter, other;
  assert(mlockall(MCL_CURRENT | MCL_FUTURE) == 0 || errno == EPERM || errno == ENOMEM);
  pthread_create(&setter, NULL, set_all, NULL);
  pthread_create(&other, NULL, go_on, NULL);
  set_all(NULL);
  pthread_join(setter, NULL);
  pthread_join(other, NULL);
  assert(munlockall() == 0);
  return atomic_load(&turns) == 5 ? 0 : 1;
}
