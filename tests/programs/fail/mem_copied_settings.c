// SPDX-License-Identifier: Apache-2.0
// Bug: the settings are copied by memcpy without the lock.
// EXPECT: kind=data-race within=100 message~"on `settings.height`" function=second
#include <pthread.h>
#include <string.h>

struct settings {
  int width, height;
  char title[100];
};
static struct settings settings, shown;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void* first(void* unused) {
  pthread_mutex_lock(&guard);
  settings.height = 20;
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* second(void* unused) {
  memcpy(&shown, &settings, sizeof shown);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return shown.width + shown.title[50];
}
