// SPDX-License-Identifier: Apache-2.0
// A child of fork has one thread, whatever others were doing: it allocates, makes a thread of its
// own, waits for nobody else's and exits. The parent's threads go on.
// SCHEDULES: 30
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int turns;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* turn(void* unused) {
  for (int i = 0; i < 4; ++i) {
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&turns, 1);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* add(void* number) {
  char* block = malloc(100);
  memset(block, 1, 100);
  *(int*)number += block[99];
  free(block);
  return number;
}

static int child(void) {
  pthread_t own;
  int number = 6;
  void* result = NULL;
  const int before = turns;
  if (pthread_create(&own, NULL, add, &number) != 0) return 1;
  if (pthread_join(own, &result) != 0 || result != &number) return 2;
  return before == turns ? number : 3;
}

static void* use_fork(void* unused) {
  int status = 0;
  pthread_mutex_lock(&lock);  // so that the child has it, too
  pid_t process = fork();
  if (process == 0) _exit(child());
  pthread_mutex_unlock(&lock);
  assert(waitpid(process, &status, 0) == process);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, i == 1 ? use_fork : turn, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return turns == 8 ? 0 : 1;
}
