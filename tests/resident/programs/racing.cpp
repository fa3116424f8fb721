// SPDX-License-Identifier: Apache-2.0
//
// A race, and locks in two orders: what detectors remember of a run.
#include "fresh.h"

namespace {

pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t two = PTHREAD_MUTEX_INITIALIZER;
int plain;
void* up(void*) {
  ++plain;
  pthread_mutex_lock(&one);
  pthread_mutex_lock(&two);
  pthread_mutex_unlock(&two);
  pthread_mutex_unlock(&one);
  return nullptr;
}
void* down(void*) {
  pthread_mutex_lock(&two);
  pthread_mutex_lock(&one);
  pthread_mutex_unlock(&one);
  pthread_mutex_unlock(&two);
  ++plain;
  return nullptr;
}
void look() { FRESH(plain == 0); }
void leave(int) {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, up, nullptr);
  pthread_create(&threads[1], nullptr, down, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  printf("%d\n", plain);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
