// SPDX-License-Identifier: Apache-2.0
// Signals from another process, here a child's end, are delivered at the next point; the child
// itself has the handlers and the mask of its parent, and runs uncontrolled.
// SCHEDULES: 500
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int ended, told;

static void on_child(int number) {
  (void)number;
  atomic_fetch_add(&ended, 1);
}

static void on_user(int number) {
  (void)number;
  atomic_fetch_add(&told, 1);
}

static void* idle(void* unused) {
  sched_yield();
  return unused;
}

int main(void) {
  pthread_t thread;
  sigset_t set, inherited;
  signal(SIGCHLD, on_child);
  signal(SIGUSR1, on_user);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  pthread_create(&thread, NULL, idle, NULL);
  const pid_t child = fork();
  if (child == 0) {
    raise(SIGUSR1);
    sigprocmask(SIG_BLOCK, NULL, &inherited);
    _exit(atomic_load(&told) == 1 && sigismember(&inherited, SIGUSR2) == 1 ? 7 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) continue;
  assert(WEXITSTATUS(status) == 7);
  sched_yield();
  assert(atomic_load(&ended) == 1 && atomic_load(&told) == 0);
  pthread_join(thread, NULL);
  return 0;
}
