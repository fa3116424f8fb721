// SPDX-License-Identifier: Apache-2.0
// Handlers of pthread_atfork lock a mutex before a fork and unlock it on both sides, as libraries
// do; a signal handler forks in the middle of a wait, and the child goes on after it.
// SCHEDULES: 30
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guarded;
static int in_child;
static atomic_int handled;

static void before(void) { pthread_mutex_lock(&lock); }
static void after(void) { pthread_mutex_unlock(&lock); }

static void* work(void* unused) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&lock);
    ++guarded;
    --guarded;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* use_fork(void* unused) {
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    pthread_mutex_lock(&lock);
    _exit(guarded);
  }
  assert(waitpid(child, &status, 0) == child && status == 0);
  return unused;
}

static void fork_here(int number) {
  (void)number;
  int status = -1;
  if (fork() == 0) {
    in_child = 1;
    return;
  }
  assert(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 7);
  atomic_store(&handled, 1);
}

static void* be_interrupted(void* unused) {
  sigset_t none;
  sigemptyset(&none);
  if (atomic_load(&handled) == 0) sigsuspend(&none);
  if (in_child) _exit(errno == EINTR ? 7 : 8);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_atfork(before, after, after);
  pthread_create(&threads[0], NULL, work, NULL);
  pthread_create(&threads[1], NULL, use_fork, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  sigset_t users;
  sigemptyset(&users);
  sigaddset(&users, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &users, NULL);
  signal(SIGUSR1, fork_here);
  pthread_create(&threads[2], NULL, be_interrupted, NULL);
  pthread_kill(threads[2], SIGUSR1);
  pthread_join(threads[2], NULL);
  return atomic_load(&handled) == 1 ? 0 : 1;
}
