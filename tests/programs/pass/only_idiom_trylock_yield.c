// SPDX-License-Identifier: Apache-2.0
// Two mutexes in opposite orders: trylock, give the first back, yield, begin anew.
// SCHEDULES: 20
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int both;

static void* work(void* argument) {
  pthread_mutex_t* first = argument;
  pthread_mutex_t* second = first == &locks[0] ? &locks[1] : &locks[0];
  for (int done = 0; done < 2;) {
    pthread_mutex_lock(first);
    int error = pthread_mutex_trylock(second);
    if (error == 0) {
      ++both;
      ++done;
      pthread_mutex_unlock(second);
    } else {
      assert(error == EBUSY);
    }
    pthread_mutex_unlock(first);
    if (error != 0) sched_yield();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, work, &locks[i]) == 0);
  work(&locks[0]);
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(both == 6);
  return 0;
}
