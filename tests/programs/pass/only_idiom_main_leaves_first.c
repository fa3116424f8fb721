// SPDX-License-Identifier: Apache-2.0
// main leaves with pthread_exit; its cleanup handlers and the destructor of its key run, the other
// threads go on, one joins the main thread, and the last one ends the process.
// SCHEDULES: 20
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_t main_thread;
static pthread_key_t key;
static atomic_int steps;
static int value = 7;

static void left(void* argument) {
  assert(argument == &value);
  steps += 10;
}

static void cleanup(void* argument) { *(atomic_int*)argument += 100; }

static void* join_main(void* unused) {
  void* result = NULL;
  assert(pthread_join(main_thread, &result) == 0);
  assert(result == &value && steps >= 110);
  ++steps;
  return unused;
}

static void* last(void* argument) {
  pthread_t* other = argument;
  assert(pthread_join(*other, NULL) == 0);
  free(other);
  assert(steps == 111);
  exit(0);
}

int main(void) {
  main_thread = pthread_self();
  assert(pthread_key_create(&key, left) == 0);
  assert(pthread_setspecific(key, &value) == 0);
  pthread_t* first = malloc(sizeof *first);
  pthread_t second;
  assert(pthread_create(first, NULL, join_main, NULL) == 0);
  assert(pthread_create(&second, NULL, last, first) == 0);
  pthread_detach(second);
  pthread_cleanup_push(cleanup, &steps);
  pthread_exit(&value);
  pthread_cleanup_pop(0);
  return 1;
}
