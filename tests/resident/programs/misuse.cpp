// SPDX-License-Identifier: Apache-2.0
//
// Locks and threads misused: a mutex destroyed while it is held, threads that nobody joins.
#include "fresh.h"

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void look() { FRESH(pthread_mutex_trylock(&mutex) == 0); }
void* nothing(void*) { return nullptr; }
void leave(int order) {
  pthread_t thread;
  pthread_create(&thread, nullptr, nothing, nullptr);
  if (order == 12) pthread_mutex_destroy(&mutex);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
