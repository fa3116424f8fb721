// SPDX-License-Identifier: Apache-2.0
// Bug: one thread frees the text while another uses it by write.
// EXPECT: kind=use-after-free within=100 message~"freed by T2" function=use
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char* text;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

static void use(char* mine) { assert(write(ends[1], mine, 20) == 20); }

static void* first(void* unused) {
  pthread_mutex_lock(&guard);
  char* mine = text;
  pthread_mutex_unlock(&guard);
  if (mine != NULL) use(mine);
  return unused;
}

static void* second(void* unused) {
  pthread_mutex_lock(&guard);
  free(text);
  text = NULL;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t one, two;
  assert(pipe(ends) == 0);
  text = strdup("a text of some length");
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
