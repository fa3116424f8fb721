// SPDX-License-Identifier: Apache-2.0
// Ten thousand threads over a run, never more than three at once: joined, and detached.
// SCHEDULES: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local int mine;
static atomic_int runs;
static sem_t detached_done;

static void* work(void* detached) {
  assert(mine++ == 0);
  atomic_fetch_add(&runs, 1);
  if (detached != NULL) sem_post(&detached_done);
  return &runs;
}

int main(void) {
  sem_init(&detached_done, 0, 0);
  for (int i = 0; i < 5000; ++i) {
    pthread_t joined, detached;
    void* result = NULL;
    assert(pthread_create(&joined, NULL, work, NULL) == 0);
    assert(pthread_create(&detached, NULL, work, &runs) == 0);
    pthread_detach(detached);
    assert(pthread_join(joined, &result) == 0 && result == &runs);
    sem_wait(&detached_done);
  }
  assert(atomic_load(&runs) == 10000);
  return 0;
}
