// SPDX-License-Identifier: Apache-2.0
// Cancellation at every kind of wait; cleanup handlers and destructors run in order, also in C++.
// SCHEDULES: 500
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cassert>

std::atomic<int> cleaned{0};
std::atomic<int> destroyed{0};
sem_t never;
pthread_t other;

struct Guard {
  ~Guard() { ++destroyed; }
};

void clean(void*) { ++cleaned; }

template <class Wait>
void with_cleanup(Wait wait) {
  Guard guard;
  pthread_cleanup_push(clean, nullptr);
  wait();
  pthread_cleanup_pop(0);
}

void* in_semaphore(void*) {
  with_cleanup([] { sem_wait(&never); });
  return nullptr;
}

void* in_sleep(void*) {
  with_cleanup([] { sleep(1000); });
  return nullptr;
}

void* in_loop(void*) {
  with_cleanup([] {
    for (;;) pthread_testcancel();
  });
  return nullptr;
}

void* in_sigwait(void*) {
  with_cleanup([] {
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigwait(&set, &number);
  });
  return nullptr;
}

void* in_join(void*) {
  with_cleanup([] { pthread_join(other, nullptr); });
  return nullptr;
}

void* disabled(void*) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  assert(old == PTHREAD_CANCEL_ENABLE);
  sem_wait(&never);
  return &never;
}

int main() {
  sem_init(&never, 0, 0);
  pthread_create(&other, nullptr, disabled, nullptr);
  void* (*bodies[])(void*) = {in_semaphore, in_sleep, in_loop, in_sigwait, in_join};
  int count = 0;
  for (auto* body : bodies) {
    pthread_t thread;
    void* result;
    pthread_create(&thread, nullptr, body, nullptr);
    assert(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0);
    assert(result == PTHREAD_CANCELED);
    ++count;
    assert(cleaned == count && destroyed == count);
  }
  void* result;
  pthread_cancel(other);
  sem_post(&never);
  assert(pthread_join(other, &result) == 0 && result == &never);
}
