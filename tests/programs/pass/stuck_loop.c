// SPDX-License-Identifier: Apache-2.0
// Fixed: the worker takes the ratio only after it has been set.
// TEST: --run-timeout 10
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t configured;
static int ratio;
static unsigned rounds;

static void* configure(void* unused) {
  ratio = 2;
  sem_post(&configured);
  return unused;
}

static void* work(void* unused) {
  sem_wait(&configured);
  const int divisor = ratio;
  unsigned done = 0;
  for (int left = 8; left > 0; left -= divisor, ++done) {
    __asm__ volatile("" : "+r"(left));
  }
  rounds = done;
  return unused;
}

int main(void) {
  pthread_t setter;
  pthread_t worker;
  sem_init(&configured, 0, 0);
  pthread_create(&setter, NULL, configure, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_join(setter, NULL);
  pthread_join(worker, NULL);
  return rounds == 4 ? 0 : 1;
}
