// SPDX-License-Identifier: Apache-2.0
// Fixed: the copy is made under the lock.
// SCHEDULES: 500
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
  pthread_mutex_lock(&guard);
  memcpy(&shown, &settings, sizeof shown);
  pthread_mutex_unlock(&guard);
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
