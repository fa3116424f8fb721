// SPDX-License-Identifier: Apache-2.0
// Fixed: the reverse path only tries for the first lock, and gives the second back if it fails.
// SCHEDULES: 200
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int written, logged, audited;

static void* update(void* unused) {
  pthread_mutex_lock(&data_lock);
  ++written;
  pthread_mutex_lock(&log_lock);
  ++logged;
  pthread_mutex_unlock(&log_lock);
  pthread_mutex_unlock(&data_lock);
  return unused;
}

static void* audit(void* unused) {
  pthread_mutex_lock(&log_lock);
  while (pthread_mutex_trylock(&data_lock) != 0) {
    pthread_mutex_unlock(&log_lock);
    sched_yield();
    pthread_mutex_lock(&log_lock);
  }
  audited = written == logged;
  pthread_mutex_unlock(&data_lock);
  pthread_mutex_unlock(&log_lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, update, 0);
  pthread_create(&threads[1], 0, audit, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return audited && written == 1 ? 0 : 1;
}
