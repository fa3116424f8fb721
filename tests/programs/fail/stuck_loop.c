// SPDX-License-Identifier: Apache-2.0
// Bug: a worker that starts before the ratio is set divides its work by nothing, without end.
// TEST: --run-timeout 1
// EXPECT: kind=hang within=100 stack=work
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ratio;
static atomic_uint rounds;

static void* configure(void* unused) {
  atomic_store(&ratio, 2);
  return unused;
}

static void* work(void* unused) {
  const int divisor = atomic_load(&ratio);
  unsigned done = 0;
  // All of it on one line, so that it is known where the run hangs.
  for (int left = 8; left > 0; left -= divisor, ++done) {
    __asm__ volatile("" : "+r"(left));  // keeps the loop; no access that could be a point
  }
  atomic_store(&rounds, done);
  return unused;
}

int main(void) {
  pthread_t setter;
  pthread_t worker;
  pthread_create(&setter, NULL, configure, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_join(setter, NULL);
  pthread_join(worker, NULL);
  return rounds == 4 ? 0 : 1;
}
