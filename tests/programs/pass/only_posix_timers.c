// SPDX-License-Identifier: Apache-2.0
// Timers of timer_create: they start threads, send signals to the process or to one thread, count
// what nobody has taken, tell how much time is left, and end with the process.
// SCHEDULES: 50
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000L

static sem_t told;
static atomic_int got, by_value;
static int plain;

static void tell(union sigval value) {
  atomic_fetch_add(&by_value, value.sival_int);
  assert(plain == 1);  // written before the timer was set
  sem_post(&told);
}

static void handle(int number, siginfo_t* info, void* context) {
  (void)context;
  assert(number == SIGUSR1 && info->si_code == SI_TIMER && info->si_value.sival_int == 5);
  atomic_store(&got, 1);
}

static timer_t make(int how, int number, int value) {
  struct sigevent event;
  timer_t timer;
  memset(&event, 0, sizeof event);
  event.sigev_notify = how;
  event.sigev_signo = number;
  event.sigev_value.sival_int = value;
  if (how == SIGEV_THREAD) event.sigev_notify_function = tell;
  assert(timer_create(CLOCK_MONOTONIC, how < 0 ? NULL : &event, &timer) == 0);
  return timer;
}

static void set(timer_t timer, long first, long interval) {
  const struct itimerspec setting = {{0, interval}, {0, first}};
  assert(timer_settime(timer, 0, &setting, NULL) == 0);
}

static void count_pending(void) {
  sigset_t waited;
  siginfo_t info;
  sigemptyset(&waited);
  sigaddset(&waited, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &waited, NULL);
  timer_t timer = make(SIGEV_SIGNAL, SIGUSR2, 6);
  set(timer, 1 * MS, 1 * MS);
  usleep(5500);
  const struct timespec none = {0, 0};
  assert(sigtimedwait(&waited, &info, &none) == SIGUSR2 && info.si_value.sival_int == 6);
  assert(info.si_overrun >= 4 && timer_getoverrun(timer) >= 4);
  assert(timer_delete(timer) == 0 && timer_delete(timer) != 0 && errno == EINVAL);
  while (sigtimedwait(&waited, &info, &none) > 0) continue;
}

int main(void) {
  sem_init(&told, 0, 0);
  plain = 1;
  timer_t repeating = make(SIGEV_THREAD, 0, 7);
  set(repeating, 1 * MS, 2 * MS);
  for (int i = 0; i < 3; ++i) sem_wait(&told);
  timer_delete(repeating);
  assert(atomic_load(&by_value) >= 21);

  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, NULL);
  timer_t once = make(SIGEV_SIGNAL, SIGUSR1, 5);
  set(once, 3 * MS, 0);
  while (!atomic_load(&got)) continue;
  count_pending();

  timer_t quiet = make(SIGEV_NONE, 0, 0);
  struct itimerspec left;
  set(quiet, 50 * MS, 0);
  assert(timer_gettime(quiet, &left) == 0 && left.it_value.tv_nsec > 1 * MS);
  usleep(60000);
  assert(timer_gettime(quiet, &left) == 0 && left.it_value.tv_nsec == 0);
  set(once, 900 * MS, 900 * MS);  // the process does not wait for it
  return 0;
}
