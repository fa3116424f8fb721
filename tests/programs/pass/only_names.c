// SPDX-License-Identifier: Apache-2.0
// Thread names and identities: set, read back, compared.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

static sem_t named;
static sem_t checked;

static void* work(void* unused) {
  char name[16];
  pthread_setname_np(pthread_self(), "worker-one");
  sem_post(&named);
  sem_wait(&checked);
  pthread_getname_np(pthread_self(), name, sizeof name);
  assert(strcmp(name, "renamed") == 0);
  return unused;
}

int main(void) {
  char name[16];
  pthread_t thread;
  sem_init(&named, 0, 0);
  sem_init(&checked, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
  assert(!pthread_equal(thread, pthread_self()));
  sem_wait(&named);
  pthread_getname_np(thread, name, sizeof name);
  assert(strcmp(name, "worker-one") == 0);
  pthread_setname_np(thread, "renamed");
  sem_post(&checked);
  pthread_join(thread, NULL);
  return 0;
}
