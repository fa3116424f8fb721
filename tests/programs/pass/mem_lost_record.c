// SPDX-License-Identifier: Apache-2.0
// Fixed: nobody else comes between.
// SCHEDULES: 500
// TEST: --races off
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct record {
  char name[40];
  int visits;
};
static struct record record;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void* visit(void* unused) {
  struct record mine;
  pthread_mutex_lock(&guard);
  memcpy(&mine, &record, sizeof mine);
  ++mine.visits;
  memcpy(&record, &mine, sizeof mine);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, visit, NULL);
  pthread_create(&two, NULL, visit, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(record.visits == 2);
  return 0;
}
