// SPDX-License-Identifier: Apache-2.0
// Two threads each look at a balance before they take from it; together they can overdraw it. The
// smallest program with a bug that needs one preemption. `fixed` as argument does it under a lock.
#include <assert.h>
#include <pthread.h>
#include <string.h>

int balance = 100;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
bool fixed = false;

void* withdraw(void*) {
  if (fixed) pthread_mutex_lock(&lock);
  if (__atomic_load_n(&balance, __ATOMIC_SEQ_CST) >= 80)  // where: look
    __atomic_fetch_sub(&balance, 80, __ATOMIC_SEQ_CST);
  if (fixed) pthread_mutex_unlock(&lock);
  return nullptr;
}

int main(int argc, char** argv) {
  fixed = argc > 1 && strcmp(argv[1], "fixed") == 0;
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, withdraw, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  assert(balance >= 0);  // where: assertion
  return 0;
}
