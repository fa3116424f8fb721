// SPDX-License-Identifier: Apache-2.0
//
// A handler and the threads that it interrupts share data below a lock: no race, and yet a search
// has to see all accesses to it. Signals come only in some runs: a search has begun without them.
#include <pthread.h>
#include <signal.h>

#include <atomic>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
std::atomic<int> turn;
int sum, handled;

void handle(int) { ++handled; }

void* add(void* number) {
  bool first = turn.exchange(1) == 0;
  pthread_mutex_lock(&lock);
  ++sum;
  if (first && number != nullptr) raise(SIGUSR1);
  sum += handled;
  pthread_mutex_unlock(&lock);
  return nullptr;
}

int main() {
  signal(SIGUSR1, handle);
  sum = 1;
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, add, nullptr);
  pthread_create(&threads[1], nullptr, add, &sum);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  return sum >= 3 && sum <= 5 ? 0 : 1;
}
