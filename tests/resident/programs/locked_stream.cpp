// SPDX-License-Identifier: Apache-2.0
//
// Streams are locked when the run ends, and everything else of the program too.
// FORKED: kill
#include <semaphore.h>

#include "fresh.h"

namespace {

sem_t semaphore;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;
int begun;
void look() {
  FRESH(ftrylockfile(stdin) == 0);
  funlockfile(stdin);
  FRESH(pthread_rwlock_trywrlock(&shared) == 0);
  pthread_rwlock_unlock(&shared);
  pthread_once(&once, [] { ++begun; });
  FRESH(begun == 1);
  sem_init(&semaphore, 0, 1);
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&barrier, nullptr, 2);
}
void* hold(void*) {
  pthread_rwlock_rdlock(&shared);
  pthread_barrier_wait(&barrier);
  return nullptr;
}
void leave(int order) {
  sem_wait(&semaphore);
  pthread_spin_lock(&spin);
  flockfile(stdin);
  pthread_t thread;
  pthread_create(&thread, nullptr, hold, nullptr);
  if (order == 12) pthread_rwlock_wrlock(&shared);
  pthread_detach(thread);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
