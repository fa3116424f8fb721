// SPDX-License-Identifier: Apache-2.0
// Fixed: strtok_r has one for each.
// SCHEDULES: 500
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int words(char* text) {
  int count = 0;
  char* at;
  for (char* word = strtok_r(text, " ", &at); word != NULL; word = strtok_r(NULL, " ", &at)) {
    ++count;
  }
  return count;
}

static void* first(void* unused) {
  char text[] = "one two three";
  assert(words(text) == 3);
  return unused;
}

static void* second(void* unused) {
  char text[] = "four five";
  assert(words(text) == 2);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
