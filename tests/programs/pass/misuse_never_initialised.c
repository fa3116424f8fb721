// SPDX-License-Identifier: Apache-2.0
// Fixed: the mutex is initialised.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Record {
  pthread_mutex_t lock;
  int value;
};
static struct Record* record;

static void* work(void* unused) {
  pthread_mutex_lock(&record->lock);
  record->value = 1;
  pthread_mutex_unlock(&record->lock);
  return unused;
}

int main(void) {
  record = malloc(sizeof *record);
  memset(record, 0x5a, sizeof *record);
  pthread_mutex_init(&record->lock, 0);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  free(record);
  return 0;
}
