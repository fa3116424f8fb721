// SPDX-License-Identifier: Apache-2.0
//
// More threads than there were stacks before, some of them left.
#include <pthread.h>

#include "fresh.h"

namespace {

int ran;
void* count(void*) {
  __atomic_add_fetch(&ran, 1, __ATOMIC_SEQ_CST);
  return nullptr;
}
void look() { FRESH(ran == 0); }
void leave(int order) {
  pthread_t threads[300];
  int number = order == 12 ? 300 : 30;
  for (int i = 0; i < number; ++i) FRESH(pthread_create(&threads[i], nullptr, count, nullptr) == 0);
  for (int i = 0; i < number - 5; ++i) pthread_join(threads[i], nullptr);
  for (int i = number - 5; i < number; ++i) pthread_detach(threads[i]);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
