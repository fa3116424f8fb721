// SPDX-License-Identifier: Apache-2.0
//
// What counts as blocked: every kind of wait admits "[waiting] -> x", and what only looks like one
// does not. Own program, see harness.h.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <semaphore>
#include <shared_mutex>
#include <thread>

#include "light/harness.h"

namespace raddle::light_tests {

using std::chrono::milliseconds;
using std::chrono::seconds;

class Blocked : public LightTest {
 protected:
  // A thread passes `waiting` and calls wait(); when [waiting] holds, release() is called. What is
  // tested is that this happens at all, and neither too early.
  void expect_blocks(const std::function<void()>& wait, const std::function<void()>& release) {
    std::atomic<bool> released{false};
    std::atomic<bool> came_through_early{false};
    {
      const ScheduleScope schedule("blocks", "[waiting] -> releasing");
      std::thread waiter([&] {
        raddle::name_thread("waiter");
        RADDLE_EVENT("waiting");
        wait();
        if (!released) came_through_early = true;
      });
      RADDLE_EVENT("releasing");
      released = true;
      release();
      waiter.join();
    }
    EXPECT_FALSE(came_through_early);
    EXPECT_EQ(said(), "");
  }
};

TEST_F(Blocked, Condition) {
  std::mutex mutex;
  std::condition_variable condition;
  bool ready = false;
  expect_blocks(
      [&] {
        std::unique_lock lock(mutex);
        condition.wait(lock, [&] { return ready; });
      },
      [&] {
        std::lock_guard lock(mutex);
        ready = true;
        condition.notify_one();
      });
}

TEST_F(Blocked, ConditionWithATimeLimit) {
  std::mutex mutex;
  std::condition_variable condition;
  bool ready = false;
  expect_blocks(
      [&] {
        std::unique_lock lock(mutex);
        condition.wait_for(lock, seconds(30), [&] { return ready; });
      },
      [&] {
        std::lock_guard lock(mutex);
        ready = true;
        condition.notify_one();
      });
}

TEST_F(Blocked, SemaphoreOfPosix) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  expect_blocks([&] { sem_wait(&semaphore); }, [&] { sem_post(&semaphore); });
  sem_destroy(&semaphore);
}

TEST_F(Blocked, SemaphoreOfTheLibrary) {
  std::counting_semaphore<> semaphore(0);
  expect_blocks([&] { semaphore.acquire(); }, [&] { semaphore.release(); });
}

TEST_F(Blocked, LatchAndAtomicWait) {
  std::latch latch(1);
  expect_blocks([&] { latch.wait(); }, [&] { latch.count_down(); });
  std::atomic<int> number{0};
  expect_blocks([&] { number.wait(0); },
                [&] {
                  number = 1;
                  number.notify_one();
                });
}

TEST_F(Blocked, Future) {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  expect_blocks([&] { EXPECT_EQ(future.get(), 7); }, [&] { promise.set_value(7); });
}

TEST_F(Blocked, Barrier) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 2);
  expect_blocks([&] { pthread_barrier_wait(&barrier); }, [&] { pthread_barrier_wait(&barrier); });
  pthread_barrier_destroy(&barrier);
}

TEST_F(Blocked, ReaderWriterLockInBothWays) {
  std::shared_mutex lock;
  std::latch may_end(1);
  std::latch has_it(1);
  std::thread reader([&] {
    std::shared_lock mine(lock);
    has_it.count_down();
    may_end.wait();
  });
  has_it.wait();
  expect_blocks([&] { std::unique_lock mine(lock); }, [&] { may_end.count_down(); });
  reader.join();

  std::latch writer_may_end(1);
  std::latch writer_has_it(1);
  std::thread writer([&] {
    std::unique_lock mine(lock);
    writer_has_it.count_down();
    writer_may_end.wait();
  });
  writer_has_it.wait();
  expect_blocks([&] { std::shared_lock mine(lock); }, [&] { writer_may_end.count_down(); });
  writer.join();
}

TEST_F(Blocked, Join) {
  std::latch latch(1);
  std::thread other([&] { latch.wait(); });
  expect_blocks([&] { other.join(); }, [&] { latch.count_down(); });
}

TEST_F(Blocked, OnceAndLocalStatics) {
  std::once_flag once;
  std::latch running(1);
  std::latch may_end(1);
  const auto initialise = [&] {
    running.count_down();
    may_end.wait();
  };
  std::thread first([&] { std::call_once(once, initialise); });
  running.wait();
  expect_blocks([&] { std::call_once(once, [] {}); }, [&] { may_end.count_down(); });
  first.join();
}

// Not seen by the library, but by the kernel.
TEST_F(Blocked, ReadFromAPipe) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  expect_blocks(
      [&] {
        char byte;
        EXPECT_EQ(read(pipe_ends[0], &byte, 1), 1);
      },
      [&] { EXPECT_EQ(write(pipe_ends[1], "x", 1), 1); });
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST_F(Blocked, MutexWhoseOwnerIsHeldBack) {
  std::mutex mutex;
  std::atomic<int> order{0};
  {
    const ScheduleScope schedule("owner", "locked -> locking, [locking] -> unlocking");
    std::thread owner([&] {
      std::lock_guard lock(mutex);
      RADDLE_EVENT("locked");
      RADDLE_EVENT("unlocking");
      EXPECT_EQ(order++, 0);
    });
    RADDLE_EVENT("locking");
    std::unique_lock lock(mutex);
    EXPECT_EQ(order++, 1);
    lock.unlock();
    owner.join();
  }
  EXPECT_EQ(said(), "");
}

// A mutex whose owner is busy, or asleep for a time, will be free again: that is not the wait that
// is meant.
TEST_F(Blocked, NotAtAMutexThatIsHeldForAMoment) {
  std::mutex inner;
  std::latch has_inner(1);
  std::latch end(1);
  std::atomic<bool> inner_was_released{false};
  {
    const ScheduleScope schedule("inner", "[waiting] -> looking");
    std::thread owner([&] {
      std::unique_lock lock(inner);
      has_inner.count_down();
      std::this_thread::sleep_for(milliseconds(60));
      inner_was_released = true;
    });
    std::thread waiter([&] {
      has_inner.wait();
      RADDLE_EVENT("waiting");
      { std::lock_guard lock(inner); }
      end.wait();
    });
    RADDLE_EVENT("looking");
    EXPECT_TRUE(inner_was_released);
    end.count_down();
    owner.join();
    waiter.join();
  }
  EXPECT_EQ(said(), "");
}

TEST_F(Blocked, NotAsleepForATime) {
  std::latch end(1);
  std::atomic<bool> slept{false};
  expect_blocks(
      [&] {
        std::this_thread::sleep_for(milliseconds(60));
        slept = true;
        end.wait();
      },
      [&] {
        EXPECT_TRUE(slept);
        end.count_down();
      });
}

// Of two who wait for a condition, one is woken: the other one still counts, whoever it is.
TEST_F(Blocked, WhoWasNotWokenStillIs) {
  for (int run = 0; run < 20; ++run) {
    std::mutex mutex;
    std::condition_variable condition;
    int tokens = 0;
    std::atomic<int> served{0};
    {
      const ScheduleScope schedule("two",
                                   "[waitingA] && [waitingB] -> first, (endedA && [waitingB]) || "
                                   "(endedB && [waitingA]) -> second");
      const auto wait_with = [&](const char* before, const char* after) {
        RADDLE_EVENT(before);
        {
          std::unique_lock lock(mutex);
          condition.wait(lock, [&] { return tokens > 0; });
          --tokens;
        }
        ++served;
        RADDLE_EVENT(after);
      };
      const auto give = [&] {
        std::lock_guard lock(mutex);
        ++tokens;
        condition.notify_one();
      };
      std::thread a(wait_with, "waitingA", "endedA");
      std::thread b(wait_with, "waitingB", "endedB");
      RADDLE_EVENT("first");
      give();
      RADDLE_EVENT("second");
      EXPECT_EQ(served, 1);
      give();
      a.join();
      b.join();
    }
    ASSERT_EQ(said(), "");
  }
}

// The schedule begins when the thread already waits.
TEST_F(Blocked, SinceBeforeTheSchedule) {
  std::latch started(1);
  std::latch go(1);
  std::mutex mutex;
  std::condition_variable condition;
  int work = 0;
  std::atomic<int> done{0};
  std::thread worker([&] {
    raddle::name_thread("worker");
    std::unique_lock lock(mutex);
    started.count_down();
    for (int i = 0; i < 2; ++i) {
      condition.wait(lock, [&] { return work > 0; });
      --work;
      ++done;
      RADDLE_EVENT("worked");
    }
  });
  started.wait();
  {
    const ScheduleScope schedule("pool", "[worked@worker] -> more, start@worker -> begin");
    RADDLE_EVENT("begin");
    for (const char* event : {"give", "more"}) {
      RADDLE_EVENT(event);
      std::lock_guard lock(mutex);
      ++work;
      condition.notify_one();
    }
    worker.join();
  }
  EXPECT_EQ(done, 2);
  EXPECT_EQ(said(), "");
}

}  // namespace raddle::light_tests
