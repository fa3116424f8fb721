// SPDX-License-Identifier: Apache-2.0
// What a thread starts has the thread's mask of signals, however it is started. The program is its
// own child: with an argument it says whether SIGUSR2 is blocked, and only that.
// SCHEDULES: 5
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
static char* self;

static int is_blocked(void) {
  sigset_t mask;
  sigprocmask(SIG_SETMASK, NULL, &mask);
  return sigismember(&mask, SIGUSR2) && !sigismember(&mask, SIGUSR1) ? 0 : 1;
}

static void await(pid_t child) {
  int status = 1;
  assert(waitpid(child, &status, 0) == child);
  assert(status == 0);
}

static void* start_all(void* unused) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &mask, NULL);
  char* arguments[] = {self, "child", NULL};
  pid_t child;
  assert(posix_spawn(&child, self, NULL, NULL, arguments, environ) == 0);
  await(child);
  char command[4096];
  snprintf(command, sizeof command, "exec '%s' child", self);
  assert(system(command) == 0);
  child = fork();
  if (child == 0) execl(self, self, "child", NULL);
  await(child);
  assert(execl("/nowhere", "nothing", NULL) == -1);  // the thread goes on
  assert(is_blocked() == 0);
  return unused;
}

int main(int count, char** words) {
  if (count > 1 && strcmp(words[1], "child") == 0) return is_blocked();
  self = realpath("/proc/self/exe", NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, start_all, NULL);
  pthread_join(thread, NULL);
  return 0;
}
