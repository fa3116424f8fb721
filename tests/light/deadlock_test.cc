// SPDX-License-Identifier: Apache-2.0
//
// Deadlocks of the program itself are told apart from those of a schedule; time limits, threads
// that name themselves and end, and forked children. Own program, see harness.h.
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <latch>
#include <thread>

#include "light/harness.h"

namespace raddle::light_tests {

using std::chrono::milliseconds;

class Deadlock : public LightTest {};

// Takes two locks in an order that the schedule chooses; each thread has one when it wants the
// other.
void lock_crosswise() {
  raddle_on_fail(nullptr);
  const ScheduleScope schedule("crosswise", "has1 && has2 -> wants1, has1 && has2 -> wants2");
  std::mutex first;
  std::mutex second;
  std::thread other([&] {
    raddle::name_thread("other");
    std::lock_guard has(second);
    RADDLE_EVENT("has2");
    RADDLE_EVENT("wants1");
    std::lock_guard wants(first);
  });
  std::lock_guard has(first);
  RADDLE_EVENT("has1");
  RADDLE_EVENT("wants2");
  std::lock_guard wants(second);
  other.join();
}

TEST_F(Deadlock, CircleOfLocksIsTheProgramsOwn) {
  EXPECT_DEATH(lock_crosswise(),
               "deadlock of the program itself while schedule \"crosswise\" is in force: threads "
               "wait for each other in a circle\n.*main waits for a mutex that other has");
}

void wait_for_nobody() {
  raddle_on_fail(nullptr);
  const ScheduleScope schedule("lost", "a -> b");
  std::mutex mutex;
  std::condition_variable condition;
  std::thread other([&] {
    std::unique_lock lock(mutex);
    condition.wait(lock);
  });
  other.join();
}

TEST_F(Deadlock, LostWakeUpIsTheProgramsOwn) {
  EXPECT_DEATH(wait_for_nobody(),
               "deadlock of the program itself while schedule \"lost\" is in "
               "force: it holds nobody back");
}

void miss_an_event() {
  raddle_on_fail(nullptr);
  const ScheduleScope schedule("missing", "never@helper -> go");
  std::thread([] { raddle::name_thread("helper"); }).join();
  RADDLE_EVENT("go");
}

TEST_F(Deadlock, WithoutAHandlerTheProcessEnds) {
  EXPECT_DEATH(miss_an_event(),
               "raddle: deadlock caused by schedule \"missing\": 1 thread is held back.*\n"
               "  main is held back at go\n"
               "    by never@helper -> go: never@helper has not happened, and its thread has "
               "ended");
}

TEST_F(Deadlock, AllThreadsHeldBack) {
  {
    const ScheduleScope schedule("stuck", "x -> a, y -> b");
    std::thread first([] { RADDLE_EVENT("a"); });
    std::thread second([] { RADDLE_EVENT("b"); });
    first.join();
    second.join();
  }
  EXPECT_NE(said().find("2 threads are held back"), std::string::npos) << said();
  EXPECT_NE(said().find("main waits for the end of thread"), std::string::npos) << said();
  EXPECT_EQ(messages.size(), 1u);
}

// Somebody who waits with a time limit can still do something.
// Who was woken and waits for the mutex, which lies behind the condition, is no longer asleep in
// the condition, although who has the mutex begins to wait there.
TEST_F(Deadlock, NotWhileTheWokenWaitForTheMutexBesideTheCondition) {
  struct {
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int turn = 0;
  } shared;
  const ScheduleScope schedule("turns", "a -> b");
  const auto take_turns = [&](int mine) {
    pthread_mutex_lock(&shared.mutex);
    for (int i = 0; i < 2000; ++i) {
      while (shared.turn != mine) pthread_cond_wait(&shared.changed, &shared.mutex);
      shared.turn = 1 - mine;
      pthread_cond_broadcast(&shared.changed);
    }
    pthread_mutex_unlock(&shared.mutex);
  };
  std::thread other(take_turns, 1);
  take_turns(0);
  other.join();
  RADDLE_EVENT("a");
  RADDLE_EVENT("b");
  EXPECT_EQ(said(), "");
}

TEST_F(Deadlock, NotWhileATimeLimitRuns) {
  {
    const ScheduleScope schedule("timed", "gaveUp -> go");
    std::thread patient([] {
      std::mutex mutex;
      std::condition_variable condition;
      std::unique_lock lock(mutex);
      condition.wait_for(lock, milliseconds(50));
      RADDLE_EVENT("gaveUp");
    });
    RADDLE_EVENT("go");
    patient.join();
  }
  EXPECT_EQ(said(), "");
}

// Another process may post.
TEST_F(Deadlock, NotWhileAnotherProcessMayHelp) {
  const auto semaphore = static_cast<sem_t*>(
      mmap(nullptr, sizeof(sem_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  sem_init(semaphore, 1, 0);
  const pid_t child = fork();
  if (child == 0) {
    usleep(30'000);
    sem_post(semaphore);
    _exit(0);
  }
  {
    const ScheduleScope schedule("shared", "posted -> go");
    std::thread waiter([&] {
      sem_wait(semaphore);
      RADDLE_EVENT("posted");
    });
    RADDLE_EVENT("go");
    waiter.join();
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(said(), "");
  munmap(semaphore, sizeof(sem_t));
}

TEST_F(Deadlock, RefusedLocksAreNoWaits) {
  const ScheduleScope schedule("refused", "a -> b");
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), EDEADLK);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  RADDLE_EVENT("a");
  RADDLE_EVENT("b");
  EXPECT_EQ(said(), "");
}

TEST_F(Deadlock, StartAndEndOfThreadsAreEvents) {
  for (int run = 0; run < 20; ++run) {
    std::atomic<int> order{0};
    {
      const ScheduleScope schedule("ends", "end@early -> start@late, late -> looking");
      std::thread late([&] {
        raddle::name_thread("late");
        EXPECT_EQ(order++, 1);
        RADDLE_EVENT("late");
      });
      std::thread early([&] {
        raddle::name_thread("early");
        EXPECT_EQ(order++, 0);
      });
      RADDLE_EVENT("looking");
      EXPECT_EQ(order++, 2);
      late.join();
      early.join();
    }
    ASSERT_EQ(said(), "");
  }
}

TEST_F(Deadlock, ForkedChildHasNoSchedule) {
  const ScheduleScope schedule("parent", "a -> b");
  const pid_t child = fork();
  if (child == 0) {
    RADDLE_EVENT("b");
    _exit(current_schedule()[0] == 0 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  RADDLE_EVENT("a");
  RADDLE_EVENT("b");
  EXPECT_EQ(said(), "");
}

void* wait_then_sleep(void*) {
  RADDLE_EVENT("held");
  sleep(60);
  return nullptr;
}

// Cancelled while it is held back, a thread ends when it is held back no more; nothing is lost.
TEST_F(Deadlock, CancelledThreadsLeaveInOrder) {
  for (int run = 0; run < 20; ++run) {
    const ScheduleScope schedule("cancel", "cancelled -> held");
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, nullptr, wait_then_sleep, nullptr), 0);
    usleep(run * 100);
    pthread_cancel(thread);
    RADDLE_EVENT("cancelled");
    void* result = nullptr;
    pthread_join(thread, &result);
    EXPECT_EQ(result, PTHREAD_CANCELED);
    ASSERT_EQ(said(), "");
  }
}

TEST_F(Deadlock, ThreadsThatOutliveTheScheduleGoOn) {
  std::thread left;
  {
    testing::internal::CaptureStderr();
    const ScheduleScope schedule("short", "never -> b");
    std::latch there(1);
    left = std::thread([&] {
      there.count_down();
      RADDLE_EVENT("b");
    });
    there.wait();
    std::this_thread::sleep_for(milliseconds(20));
  }
  left.join();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "raddle: schedule \"short\": never -> b had nothing to order: b did not happen\n");
}

}  // namespace raddle::light_tests
