// SPDX-License-Identifier: Apache-2.0
// The cleanup handler unlocks the mutex that the cancelled wait has taken back.
// SCHEDULES: 500
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;
static int waiting;

static void give_up(void* unused) {
  (void)unused;
  --waiting;
  pthread_mutex_unlock(&lock);
}

static void* consume(void* unused) {
  pthread_mutex_lock(&lock);
  ++waiting;
  pthread_cleanup_push(give_up, unused);
  while (items == 0) pthread_cond_wait(&filled, &lock);
  pthread_cleanup_pop(0);
  --waiting;
  --items;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t consumer;
  void* result = NULL;
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_cancel(consumer);
  pthread_join(consumer, &result);
  pthread_mutex_lock(&lock);
  const int left = waiting;
  pthread_mutex_unlock(&lock);
  return left != 0 || result != PTHREAD_CANCELED;
}
