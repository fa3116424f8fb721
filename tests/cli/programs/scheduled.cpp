// SPDX-License-Identifier: Apache-2.0
//
// A main thread and a worker that pass events under the schedule of the first argument; the second
// says how: active or passive; the third says what else happens.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "raddle/event.h"

sem_t begun, finished;
std::atomic<int> handled;

void plain() {
  std::thread worker([] {
    raddle::name_thread("worker");
    RADDLE_EVENT("a");  // where: a
    RADDLE_EVENT("b");
  });
  RADDLE_EVENT("x");
  RADDLE_EVENT("y");
  worker.join();
}

// Somebody else gives the thread its name when it has long begun.
void named_by_creator() {
  std::thread worker([] {
    sem_post(&begun);
    sem_wait(&finished);
    RADDLE_EVENT("a");
  });
  sem_wait(&begun);
  pthread_setname_np(worker.native_handle(), "worker");
  RADDLE_EVENT("x");
  sem_post(&finished);
  worker.join();
}

// A thread that the schedule keeps back runs a signal handler, which passes an event itself.
void interrupted() {
  signal(SIGUSR1, [](int) {
    RADDLE_EVENT("handling");
    ++handled;
  });
  std::thread worker([] {
    sem_post(&begun);
    RADDLE_EVENT("a");
    if (handled != 1) abort();
  });
  sem_wait(&begun);
  pthread_kill(worker.native_handle(), SIGUSR1);
  RADDLE_EVENT("x");
  worker.join();
}

// The schedule ends while the worker may be waiting: nobody keeps it back any longer.
void ended_early() {
  std::thread worker([] { RADDLE_EVENT("b"); });
  sched_yield();
  raddle_schedule_end();
  worker.join();
}

// Names of any length, made while the program runs.
void computed() {
  for (int i = 0; i < 3; ++i) {
    std::string name = "an.event.with.a.long.name.and.a.number.at.its.end" + std::to_string(i);
    RADDLE_EVENT(name.c_str());
  }
  abort();
}

// The worker sleeps: that is not being blocked. With a time-out at a semaphore it is.
void timed(bool sleeps) {
  std::thread worker([sleeps] {
    raddle::name_thread("worker");
    RADDLE_EVENT("a");
    timespec when = {2, 0};
    if (sleeps) {
      usleep(1000);
    } else {
      sem_clockwait(&begun, CLOCK_MONOTONIC, &when);
    }
    RADDLE_EVENT("b");
  });
  RADDLE_EVENT("x");
  worker.join();
}

int main(int, char** argv) {
  sem_init(&begun, 0, 0);
  sem_init(&finished, 0, 0);
  std::string mode = argv[2], what = argv[3];
  raddle_schedule_begin("given", argv[1], mode == "passive" ? RADDLE_SCHEDULE_PASSIVE : 0);
  if (what == "plain") plain();
  if (what == "named") named_by_creator();
  if (what == "interrupted") interrupted();
  if (what == "ended") ended_early();
  if (what == "computed") computed();
  if (what == "sleeping") timed(true);
  if (what == "waiting") timed(false);
}
