// SPDX-License-Identifier: Apache-2.0
// Fixed: both under one lock.
// SCHEDULES: 500
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char name[40] = "Ann";
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static char* copy;

static char* copy_name(void) {
  pthread_mutex_lock(&guard);
  char* mine = malloc(strlen(name) + 1);
  strcpy(mine, name);
  pthread_mutex_unlock(&guard);
  return mine;
}

static void* first(void* unused) {
  copy = copy_name();
  return unused;
}

static void* second(void* unused) {
  pthread_mutex_lock(&guard);
  strcpy(name, "Bartholomew");
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  int longer = strlen(copy) > 20;
  free(copy);
  return longer;
}
