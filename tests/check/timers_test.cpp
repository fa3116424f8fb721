// SPDX-License-Identifier: Apache-2.0
//
// Bodies that set timers, and threads of theirs that fork: nothing of it reaches the next run.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "harness.h"

namespace {

std::atomic<int> ticks;
sem_t told;

void tick(int) { ++ticks; }

TEST(Timers, OfTheBodyTellItsThreads) {
  expect_clean(raddle::check(
      [] {
        sem_init(&told, 0, 0);
        sigevent event{};
        event.sigev_notify = SIGEV_THREAD;
        event.sigev_notify_function = [](sigval) { sem_post(&told); };
        timer_t timer;
        RADDLE_ASSERT(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
        RADDLE_ASSERT(timer == timer_t{});  // a body begins without timers
        itimerspec often{{0, 1000000}, {0, 1000000}};
        timer_settime(timer, 0, &often, nullptr);
        for (int i = 0; i < 2; ++i) sem_wait(&told);
        timer_delete(timer);
      },
      runs(200)));
}

TEST(Timers, ThatAreLeftSetEndWithTheBody) {
  if (is_whole_program()) return;
  auto* before = signal(SIGALRM, tick);
  expect_clean(raddle::check(
      [] {
        itimerval unset{};
        RADDLE_ASSERT(getitimer(ITIMER_REAL, &unset) == 0 && unset.it_value.tv_sec == 0);
        itimerval often{{1, 0}, {1, 0}};
        setitimer(ITIMER_REAL, &often, nullptr);
        std::thread other([] { usleep(10); });
        other.join();
      },
      runs(200)));
  signal(SIGALRM, before);
}

TEST(Children, OfAThreadEndWithIt) {
  if (is_whole_program()) return;
  expect_clean(raddle::check(
      [] {
        std::thread other([] {
          pid_t child = fork();
          if (child == 0) _exit(0);
          int status = -1;
          RADDLE_ASSERT(waitpid(child, &status, 0) == child && status == 0);
        });
        other.join();
      },
      runs(10)));
}

}  // namespace
