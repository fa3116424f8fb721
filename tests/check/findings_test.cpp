// SPDX-License-Identifier: Apache-2.0
//
// Every kind of finding that the body of a test can lead to, each with a twin in which it is fixed:
// the first is found and contained, the second is clean, and what comes next in the process is as
// if nothing had happened. Compiled by `raddle c++`.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "harness.h"

namespace {

struct Bug {
  const char* name;
  const char* kind;
  const char* message;  // a part of it
  void (*wrong)();
  void (*fixed)();
  raddle::Options options = {};
};

std::ostream& operator<<(std::ostream& out, const Bug& bug) { return out << bug.name; }

// Both threads add to what they have read.
int lost_update() {
  std::atomic<int> count{0};
  auto add = [&] { count.store(count.load() + 1); };
  std::thread other(add);
  add();
  other.join();
  return count.load();
}

int kept_update() {
  std::atomic<int> count{0};
  std::thread other([&] { ++count; });
  ++count;
  other.join();
  return count.load();
}

void check_lost() { RADDLE_ASSERT(lost_update() == 2); }
void check_kept() { RADDLE_ASSERT(kept_update() == 2); }
void assert_lost() { assert(lost_update() == 2); }
void assert_kept() { assert(kept_update() == 2); }
void abort_lost() {
  if (lost_update() != 2) abort();
}
void abort_kept() {
  if (kept_update() != 2) abort();
}
void exit_lost() {
  if (lost_update() != 2) exit(3);
}
void exit_kept() {
  if (kept_update() != 2) exit(3);
}
void throw_lost() {
  if (lost_update() != 2) throw std::runtime_error("an update was lost");
}
void throw_kept() {
  if (kept_update() != 2) throw std::runtime_error("an update was lost");
}

// In a thread, an exception nobody catches.
template <int (*run)()>
void throw_in_thread() {
  std::thread thrower([] {
    if (run() != 2) throw std::runtime_error("thrown in a thread");
  });
  thrower.join();
}

template <bool checked>
void null_pointer() {
  int value = 1;
  std::atomic<int*> pointer{&value};
  std::thread other([&] { pointer.store(nullptr); });
  int* seen = pointer.load();
  if (seen != nullptr) {
    if (!checked) seen = pointer.load();
    *const_cast<volatile int*>(seen) = 2;
  }
  other.join();
}

__attribute__((noinline)) int deep(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : deep(depth - 1) + frame[0];
}

template <int depth>
void recursion() {
  if (lost_update() == 2) return;
  std::thread thread([] {
    volatile int result = deep(depth);
    (void)result;
  });
  thread.join();
}

template <bool ordered>
void mutex_cycle() {
  std::mutex one, two;
  std::thread other([&] {
    std::lock_guard first(ordered ? one : two);
    std::lock_guard second(ordered ? two : one);
  });
  {
    std::lock_guard first(one);
    std::lock_guard second(two);
  }
  other.join();
}

template <bool looks>
void wake_up() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    if (looks)
      changed.wait(lock, [&] { return ready; });
    else
      changed.wait(lock);
  });
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
  changed.notify_one();
  waiter.join();
}

template <bool leaves>
void spin() {
  std::atomic<bool> stop{false};
  std::thread spinner([&] {
    while (!stop.load()) {
    }
  });
  if (leaves) stop.store(true);
  spinner.join();
}

template <bool leaves>
void no_points() {
  if (lost_update() == 2) return;
  for (volatile bool again = true; again;)
    if (leaves) again = false;
}

template <bool mine>
void unlock() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  std::thread other([&] {
    if (!mine) pthread_mutex_unlock(&mutex);
  });
  other.join();
  if (mine) pthread_mutex_unlock(&mutex);
}

template <bool joins>
void leak() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  if (joins) pthread_join(thread, nullptr);
}

template <bool waits>
void use_freed() {
  auto* number = new std::atomic<int>(0);
  std::thread other([=] { number->fetch_add(1); });
  if (waits) other.join();
  delete number;
  if (!waits) other.join();
}

template <bool exchanged>
void free_twice() {
  std::atomic<void*> block{malloc(8)};
  auto release = [&] {
    void* mine = exchanged ? block.exchange(nullptr) : block.load();
    if (!exchanged && mine != nullptr) block.store(nullptr);
    free(mine);
  };
  std::thread other(release);
  release();
  other.join();
}

template <bool bounded>
void overflow() {
  char* bytes = static_cast<char*>(malloc(2));
  std::atomic<int> used{0};
  auto put = [&] {
    for (int i = 0; i < (bounded ? 1 : 2); ++i) {
      int at = used.fetch_add(1);
      const_cast<volatile char*>(bytes)[at] = 'x';
    }
  };
  std::thread other(put);
  put();
  other.join();
  free(bytes);
}

template <bool locked>
void race() {
  int plain = 0;
  std::mutex mutex;
  auto add = [&] {
    std::unique_lock lock(mutex, std::defer_lock);
    if (locked) lock.lock();
    ++plain;
  };
  std::thread other(add);
  add();
  other.join();
}

const Bug kBugs[] = {
    {"check", "assertion", "RADDLE_ASSERT(lost_update() == 2)", check_lost, check_kept},
    {"assert", "assertion", "lost_update() == 2", assert_lost, assert_kept},
    {"abort", "assertion", "abort", abort_lost, abort_kept},
    {"exit", "exit-code", "exit code 3, expected 0", exit_lost, exit_kept},
    {"exception", "exception", "an update was lost", throw_lost, throw_kept},
    {"thread_exception", "exception", "thrown in a thread", throw_in_thread<lost_update>,
     throw_in_thread<kept_update>},
    {"crash", "crash", "SIGSEGV", null_pointer<false>, null_pointer<true>},
    {"stack_overflow", "stack-overflow", "stack", recursion<1'000'000>, recursion<10>},
    {"mutex_cycle", "deadlock", "held by", mutex_cycle<false>, mutex_cycle<true>},
    {"lost_wake_up", "deadlock", "notification", wake_up<false>, wake_up<true>},
    {"livelock", "livelock", "for ever", spin<false>, spin<true>},
    {"hang", "hang", "", no_points<false>, no_points<true>},
    {"sync_misuse", "sync-misuse", "unlock", unlock<false>, unlock<true>},
    {"leaked_thread", "leaked-thread", "T1", leak<false>, leak<true>},
    {"use_after_free", "use-after-free", "freed", use_freed<false>, use_freed<true>},
    {"double_free", "double-free", "freed", free_twice<false>, free_twice<true>},
    {"heap_overflow", "heap-overflow", "", overflow<false>, overflow<true>},
    {"data_race", "data-race", "", race<false>, race<true>},
};

class Findings : public testing::TestWithParam<Bug> {
 protected:
  raddle::Options options() const {
    raddle::Options options;
    options.name = GetParam().name;
    options.schedules = 300;
    options.max_steps = 2000;
    return options;
  }
};

TEST_P(Findings, IsFound) {
  raddle::Result result = raddle::check(GetParam().wrong, options());
  if (is_whole_program()) return;
  expect_found(result, GetParam().kind, GetParam().message);
  // What was found is over: the next check is not touched by it.
  expect_clean(
      raddle::check([] { EXPECT_EQ(kept_update(), 2); }, {.name = "after", .schedules = 300}));
}

TEST_P(Findings, IsCleanWhenFixed) {
  raddle::Result result = raddle::check(GetParam().fixed, options());
  expect_clean(result);
  if (is_whole_program()) {
    EXPECT_EQ(result.schedules, 1u);
  } else if (!result.complete) {  // or it is proved earlier
    EXPECT_EQ(result.schedules + result.blocked, 300u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Findings, testing::ValuesIn(kBugs),
                         [](const auto& bug) { return bug.param.name; });

TEST(Containment, FiftyFailingChecksInARow) {
  for (int i = 0; i < 50; ++i) {
    const Bug& bug = kBugs[static_cast<std::size_t>(i) % std::size(kBugs)];
    if (bug.wrong == no_points<false>) continue;  // takes a second
    raddle::Options options;
    options.schedules = 300;
    options.max_steps = 2000;
    options.name = bug.name;
    raddle::Result result = raddle::check(bug.wrong, options);
    ASSERT_EQ(result.findings.size(), 1u) << bug.name << " in check " << i << "\n" << result;
    ASSERT_EQ(result.findings[0].kind, bug.kind) << i;
  }
  expect_clean(raddle::check(check_kept, {.name = "after", .schedules = 300}));
}

}  // namespace
