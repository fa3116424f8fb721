// SPDX-License-Identifier: Apache-2.0
// setitimer with ITIMER_PROF and ITIMER_VIRTUAL, and a timer on the processor's time: they fire
// while threads work, however they wait in between, and let nobody's sleep end early.
// SCHEDULES: 50
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_int samples;
static volatile sig_atomic_t stopped;

static void sample(int number) {
  (void)number;
  atomic_fetch_add(&samples, 1);
}

static void stop(int number) {
  (void)number;
  stopped = 1;
}

static void* work(void* unused) {
  while (atomic_load(&samples) < 5) continue;
  return unused;
}

int main(void) {
  signal(SIGPROF, sample);
  signal(SIGVTALRM, sample);
  signal(SIGUSR1, stop);
  const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  struct itimerval before;
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  sigset_t set, mask;
  sigemptyset(&set);
  sigaddset(&set, SIGPROF);
  sigaddset(&set, SIGVTALRM);
  pthread_sigmask(SIG_BLOCK, &set, &mask);
  assert(setitimer(ITIMER_PROF, &often, NULL) == 0);
  assert(setitimer(ITIMER_VIRTUAL, &often, NULL) == 0);
  assert(getitimer(ITIMER_PROF, &before) == 0 && before.it_interval.tv_usec == 1000);
  pthread_join(worker, NULL);
  assert(setitimer(ITIMER_VIRTUAL, &never, &before) == 0 && before.it_interval.tv_usec == 1000);
  assert(setitimer(ITIMER_PROF, &never, NULL) == 0);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);

  const struct itimerval soon = {{0, 0}, {0, 20000}};
  atomic_store(&samples, 0);
  assert(setitimer(ITIMER_PROF, &soon, NULL) == 0);
  assert(usleep(50000) == 0 && atomic_load(&samples) == 0);  // sleeping takes no time of it
  assert(setitimer(ITIMER_PROF, &never, NULL) == 0);

  struct sigevent event;
  timer_t timer;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  assert(timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0);
  const struct itimerspec once = {{0, 0}, {0, 1000000}};
  assert(timer_settime(timer, 0, &once, NULL) == 0);
  while (!stopped) continue;
  alarm(1000);
  pthread_exit(NULL);  // nobody is left, and the process does not wait for the alarm
}
