// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait for everything there is to wait for when the run ends.
#include <poll.h>
#include <semaphore.h>
#include <sys/eventfd.h>

#include "fresh.h"

namespace {

sem_t never;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int ends[2];
int waiting;
void* by_pipe(void*) {
  char byte;
  ++waiting;
  return read(ends[0], &byte, 1) == 1 ? nullptr : nullptr;
}
void* by_semaphore(void*) {
  sem_wait(&never);
  return nullptr;
}
void* by_condition(void*) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
  return nullptr;
}
void* by_time(void*) {
  usleep(1000000);
  return nullptr;
}
void* by_poll(void*) {
  pollfd one{eventfd(0, 0), POLLIN, 0};
  poll(&one, 1, 100000);
  return nullptr;
}
void look() {
  FRESH(waiting == 0 && ends[0] == 0);
  FRESH(pthread_mutex_trylock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
}
void leave(int) {
  FRESH(pipe(ends) == 0);
  pthread_t thread;
  for (auto* wait : {by_pipe, by_semaphore, by_condition, by_time, by_poll}) {
    pthread_create(&thread, nullptr, wait, nullptr);
    pthread_detach(thread);
  }
  usleep(10);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
