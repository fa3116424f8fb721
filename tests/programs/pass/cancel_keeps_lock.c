// SPDX-License-Identifier: Apache-2.0
// A cleanup handler gives the lock back.
// SCHEDULES: 500
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int records;

static void unlock(void* mutex) { pthread_mutex_unlock(mutex); }

static void* write_records(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  ++records;
  usleep(1000);  // a cancellation point
  ++records;
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  pthread_t writer;
  void* result = NULL;
  pthread_create(&writer, NULL, write_records, NULL);
  pthread_cancel(writer);
  pthread_join(writer, &result);
  pthread_mutex_lock(&lock);
  const int count = records;
  pthread_mutex_unlock(&lock);
  return result == PTHREAD_CANCELED ? count == 2 : count != 2;
}
