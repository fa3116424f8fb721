// SPDX-License-Identifier: Apache-2.0
// Bug: the data is repaired but the mutex is not marked consistent, so it is lost when unlocked.
// EXPECT: kind=assertion within=20 function=use
// MATRIX: skip
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int balance = 10;

static void* die_inside(void* unused) {
  (void)unused;
  if (pthread_mutex_lock(&lock) == 0) balance = -1;
  return NULL;  // without unlocking
}

static void use(void) {
  const int error = pthread_mutex_lock(&lock);
  if (error == EOWNERDEAD) {
    balance = 10;
  }
  assert(error == 0 || error == EOWNERDEAD);
  assert(balance == 10);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attributes);
  pthread_create(&thread, NULL, die_inside, NULL);
  use();
  use();
  pthread_join(thread, NULL);
  use();
  use();
  return 0;
}
