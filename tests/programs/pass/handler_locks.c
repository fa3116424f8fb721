// SPDX-License-Identifier: Apache-2.0
// The handler only posts a semaphore, which is safe in handlers; the work is done elsewhere.
// SCHEDULES: 500
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t wanted;
static int reports;

static void on_signal(int number) {
  (void)number;
  sem_post(&wanted);
}

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&lock);
    ++reports;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t worker;
  sem_init(&wanted, 0, 0);
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, NULL);
  if (sem_trywait(&wanted) == 0) ++reports;
  return reports < 2;
}
