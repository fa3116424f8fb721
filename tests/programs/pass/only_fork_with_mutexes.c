// SPDX-License-Identifier: Apache-2.0
// Mutexes that were used before a fork work in the child, which is not under control: one that is
// free is destroyed, one that the forking thread holds is unlocked, one that another thread holds
// stays locked until it is initialised again. A semaphore keeps its count.
// SCHEDULES: 100
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t used = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t others = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static sem_t taken, done, spare;

static void* hold(void* unused) {
  (void)unused;
  pthread_mutex_lock(&used);
  pthread_mutex_unlock(&used);
  pthread_mutex_lock(&others);
  sem_post(&taken);
  sem_wait(&done);
  pthread_mutex_unlock(&others);
  return NULL;
}

static int in_child(void) {
  if (pthread_mutex_unlock(&held) != 0) return 1;
  if (sem_trywait(&spare) != 0 || sem_trywait(&spare) == 0) return 7;
  if (pthread_mutex_lock(&used) != 0 || pthread_mutex_unlock(&used) != 0) return 2;
  if (pthread_mutex_destroy(&used) != 0 || pthread_mutex_destroy(&held) != 0) return 3;
  if (pthread_mutex_trylock(&others) != EBUSY) return 4;
  if (pthread_mutex_init(&others, NULL) != 0 || pthread_mutex_lock(&others) != 0) return 5;
  return pthread_mutex_unlock(&others) != 0 || pthread_mutex_destroy(&others) != 0 ? 6 : 0;
}

int main(void) {
  sem_init(&taken, 0, 0);
  sem_init(&done, 0, 0);
  sem_init(&spare, 0, 0);
  sem_post(&spare);
  pthread_t holder;
  pthread_create(&holder, NULL, hold, NULL);
  pthread_mutex_lock(&held);
  sem_wait(&taken);
  pid_t child = fork();
  if (child == 0) _exit(in_child());
  int status = -1;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  pthread_mutex_unlock(&held);
  sem_post(&done);
  pthread_join(holder, NULL);
}
