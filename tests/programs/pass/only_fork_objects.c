// SPDX-License-Identifier: Apache-2.0
// A child that a thread forks finds what the thread had: its thread-specific values and their
// destructors, the locks it holds, condition variables that were used. What other threads hold
// stays held, and new threads of the child run beside each other.
// SCHEDULES: 30
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_key_t key, unset;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t mine, readers, others;
static pthread_spinlock_t spin;
static sem_t taken, done;
static int turn;
static int is_child;

static void end_with_value(void* value) {
  if (is_child) _exit(*(int*)value);
}

static void* take_turn(void* block) {
  pthread_mutex_lock(&lock);
  while (turn == 0) pthread_cond_wait(&changed, &lock);
  ++turn;
  pthread_mutex_unlock(&lock);
  free(block);
  return NULL;
}

static int in_child(char* block) {
  if (pthread_getspecific(key) == NULL || pthread_getspecific(unset) != NULL) return 1;
  if (pthread_rwlock_tryrdlock(&mine) != EBUSY) return 2;
  if (pthread_rwlock_trywrlock(&readers) != EBUSY || pthread_rwlock_unlock(&readers) != 0) return 4;
  if (pthread_rwlock_trywrlock(&readers) != 0) return 5;
  if (pthread_rwlock_tryrdlock(&others) != EBUSY) return 6;
  if (pthread_spin_trylock(&spin) != EBUSY || pthread_spin_unlock(&spin) != 0) return 7;
  pthread_t own[2];
  pthread_create(&own[0], NULL, take_turn, realloc(block, 1000));
  pthread_create(&own[1], NULL, take_turn, malloc(10));
  pthread_mutex_lock(&lock);
  turn = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; ++i) pthread_join(own[i], NULL);
  return turn == 3 ? 0 : 8;
}

static void* hold(void* unused) {
  pthread_rwlock_wrlock(&others);
  sem_post(&taken);
  sem_wait(&done);
  pthread_rwlock_unlock(&others);
  return unused;
}

static void* use_fork(void* unused) {
  static int code = 33;
  char* block = malloc(100);
  pthread_setspecific(key, &code);
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_rwlock_wrlock(&mine);
  pthread_rwlock_rdlock(&readers);
  pthread_spin_lock(&spin);
  sem_wait(&taken);
  pthread_mutex_lock(&lock);
  pid_t child = fork();
  pthread_mutex_unlock(&lock);
  if (child == 0) {
    is_child = 1;
    code = in_child(block) == 0 ? 33 : 1;
    return unused;  // and the destructor ends the child
  }
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 33);
  pthread_spin_unlock(&spin);
  pthread_rwlock_unlock(&readers);
  pthread_rwlock_unlock(&mine);
  free(block);
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_key_create(&unset, NULL);
  pthread_key_create(&key, end_with_value);
  pthread_key_delete(unset);
  pthread_key_create(&unset, NULL);
  pthread_rwlock_init(&mine, NULL);
  pthread_rwlock_init(&readers, NULL);
  pthread_rwlock_init(&others, NULL);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&taken, 0, 0);
  sem_init(&done, 0, 0);
  pthread_t holder, forker;
  pthread_create(&holder, NULL, hold, NULL);
  pthread_create(&forker, NULL, use_fork, NULL);
  pthread_join(holder, NULL);
  pthread_join(forker, NULL);
  return 0;
}
