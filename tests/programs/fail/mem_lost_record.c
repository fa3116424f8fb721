// SPDX-License-Identifier: Apache-2.0
// Bug: each thread copies the record, changes its copy and copies it back.
// EXPECT: kind=assertion within=100
// TEST: --races off
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct record {
  char name[40];
  int visits;
};
static struct record record;

static void* visit(void* unused) {
  struct record mine;
  memcpy(&mine, &record, sizeof mine);
  ++mine.visits;
  memcpy(&record, &mine, sizeof mine);
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
