// SPDX-License-Identifier: Apache-2.0
//
// Small programs whose interleavings can be counted: the first argument names one.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

std::atomic<int> number{0};
std::atomic<bool> flag{false};
int plain = 0;
int hidden = 0;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
sem_t waiting;
int woken[2];
int woken_count = 0;

void steps(int count) {
  for (int i = 0; i < count; ++i) number.fetch_add(1);
}

// STEPS...: a thread each.
void independent(int count, char** lengths) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(steps, atoi(lengths[i]));
  for (std::thread& thread : threads) thread.join();
}

void locked() {
  number.fetch_add(1);
  pthread_mutex_lock(&mutex);
  ++plain;
  pthread_mutex_unlock(&mutex);
}

void racing() { plain = plain + 1; }

// Only if both add before one of them looks do both touch the other variable.
void surprised() {
  number.fetch_add(1);
  if (number.load() == 2) ++hidden;
}

void wait_for_signal(int me) {
  pthread_mutex_lock(&mutex);
  sem_post(&waiting);
  pthread_cond_wait(&condition, &mutex);
  woken[woken_count++] = me;
  pthread_mutex_unlock(&mutex);
}

// Both wait before the first of two signals, which has to choose.
void signalled() {
  sem_init(&waiting, 0, 0);
  std::thread one(wait_for_signal, 1);
  std::thread two(wait_for_signal, 2);
  sem_wait(&waiting);
  sem_wait(&waiting);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&condition);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  one.join();
  two.join();
}

void spin() {
  while (!flag.load()) {
  }
}

void twice(void (*body)()) {
  std::thread one(body);
  std::thread two(body);
  one.join();
  two.join();
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "independent") == 0) {
    independent(argc - 2, argv + 2);
  } else if (strcmp(name, "locked") == 0) {
    twice(locked);
  } else if (strcmp(name, "racing") == 0) {
    twice(racing);
    return plain == 2 ? 0 : 1;
  } else if (strcmp(name, "surprised") == 0) {
    twice(surprised);
  } else if (strcmp(name, "signalled") == 0) {
    signalled();
  } else if (strcmp(name, "spinning") == 0) {
    std::thread spinner(spin);
    flag.store(true);
    spinner.join();
  } else {
    return 2;
  }
}
