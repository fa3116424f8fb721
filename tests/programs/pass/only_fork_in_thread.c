// SPDX-License-Identifier: Apache-2.0
// A child that a thread forks has that thread alone, and its end is its own, however it comes
// about: the thread returns, leaves by pthread_exit, exits, aborts, crashes, is killed, forks
// again. SCHEDULES: 30
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum end { RETURNS, LEAVES, EXITS, EXITS_NOW, ABORTS, CRASHES, IS_KILLED, FORKS, ENDS };

static atomic_int others_steps;

static int wait_for(pid_t child) {
  int status = -1;
  assert(child > 0 && waitpid(child, &status, 0) == child);
  return status;
}

static void crash(void) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  *(volatile int*)8 = 1;
}

// True in a child whose thread is to return.
static int try_end(enum end end) {
  pid_t child = fork();
  if (child != 0) {
    if (end == IS_KILLED) kill(child, SIGABRT);
    int status = wait_for(child);
    int by = end == ABORTS || end == IS_KILLED ? SIGABRT : end == CRASHES ? SIGSEGV : 0;
    int code = end == EXITS ? 3 : end == EXITS_NOW ? 4 : end == FORKS ? 5 : 0;
    assert(by != 0 ? WIFSIGNALED(status) && WTERMSIG(status) == by
                   : WIFEXITED(status) && WEXITSTATUS(status) == code);
    return 0;
  }
  int before = atomic_load(&others_steps);
  usleep(100);
  if (atomic_load(&others_steps) != before) _exit(9);
  if (end == LEAVES) pthread_exit(NULL);
  if (end == EXITS) exit(3);
  if (end == EXITS_NOW) _exit(4);
  if (end == ABORTS) abort();
  if (end == CRASHES) crash();
  if (end == IS_KILLED) sleep(100);
  if (end == FORKS) _exit(fork() == 0 ? 0 : wait(NULL) > 0 ? 5 : 6);
  return 1;
}

static void* fork_all(void* unused) {
  for (enum end end = RETURNS; end < ENDS; ++end)
    if (try_end(end)) return unused;
  return unused;
}

static void* work(void* unused) {
  for (int i = 0; i < 5; ++i) atomic_fetch_add(&others_steps, 1);
  return unused;
}

int main(void) {
  pthread_t forker, other;
  pthread_create(&forker, NULL, fork_all, NULL);
  pthread_create(&other, NULL, work, NULL);
  pthread_join(forker, NULL);
  pthread_join(other, NULL);
  if (fork() == 0) pthread_exit(NULL);
  int status = -1;
  assert(wait(&status) > 0 && status == 0);
  return atomic_load(&others_steps) == 5 ? 0 : 1;
}
