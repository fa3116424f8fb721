// SPDX-License-Identifier: Apache-2.0
//
// The short ways of runs in place (src/runtime/quick_*.h) against what they may leave out: races
// that show in a few schedules only, so that they are met by runs that take the short ways, and
// twins of them that are ordered and must come out clean. Compiled by `raddle c++`.
#include <pthread.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "harness.h"

extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
}

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

// Two threads that meet in one of some thousand schedules: one counts, the other one finds every
// number twice. Nothing is ordered by it. Runs with events are too few to see it happen.
class Meeting {
 public:
  void count() {
    for (int i = 1; i <= kNumbers; ++i) count_.store(i, kRelaxed);
  }
  bool takes_place() {
    for (int i = 1; i <= kNumbers; ++i)
      if (count_.load(kRelaxed) != i || count_.load(kRelaxed) != i) return false;
    return true;
  }

 private:
  static constexpr int kNumbers = 4;
  std::atomic<int> count_{0};
};

// What a thread does before it creates another one is ordered, what it does after that is not.
template <bool fixed>
void before_creation() {
  Meeting meeting;
  int data = 1;
  std::thread other([&] {
    if (meeting.takes_place()) RADDLE_ASSERT(data > 0);
  });
  meeting.count();
  if (!fixed) data = 2;
  other.join();
}

template <bool fixed>
void after_join() {
  Meeting meeting;
  int data = 1;
  std::thread other([&] {
    if (meeting.takes_place()) data = 2;
  });
  meeting.count();
  if (!fixed) RADDLE_ASSERT(data > 0);
  other.join();
  RADDLE_ASSERT(data > 0);
}

// An atomic update hands on what came before it only if it releases.
template <bool fixed>
void handed_on_by_update() {
  constexpr auto kOrder = fixed ? std::memory_order_acq_rel : kRelaxed;
  Meeting meeting;
  std::atomic<int> ready{0};
  int data = 0;
  std::thread other([&] {
    bool met = meeting.takes_place();
    if (ready.fetch_add(1, kOrder) == 1 && met) RADDLE_ASSERT(data == 1);
  });
  meeting.count();
  data = 1;
  ready.fetch_add(1, kOrder);
  other.join();
}

// Neighbours in eight bytes are others; what overlaps is not.
template <bool fixed>
void beside_an_atomic() {
  struct alignas(8) {
    int atomic = 0;
    int plain = 0;
  } pair;
  Meeting meeting;
  std::thread other([&] {
    __atomic_fetch_add(&pair.atomic, 1, __ATOMIC_ACQ_REL);
    if (!meeting.takes_place()) return;
    int& touched = fixed ? pair.plain : pair.atomic;
    touched = touched + 1;
  });
  meeting.count();
  __atomic_fetch_add(&pair.atomic, 1, __ATOMIC_ACQ_REL);
  other.join();
}

// Clocks of more than four threads, choices among more than two, and sets of more than 64.
template <bool fixed, int threads>
void many_under_a_lock() {
  Meeting meeting;
  std::mutex lock;
  int sum = 0;
  std::vector<std::thread> others;
  for (int i = 0; i < threads; ++i)
    others.emplace_back([&, i] {
      bool forgets = !fixed && i == threads - 1 && meeting.takes_place();
      std::unique_lock<std::mutex> hold(lock, std::defer_lock);
      if (!forgets) hold.lock();
      ++sum;
    });
  meeting.count();
  for (std::thread& other : others) other.join();
}

// A thread that does not want its reads looked at.
template <bool fixed>
void ignored_reads() {
  Meeting meeting;
  int data = 1;
  std::thread other([&] {
    if (!meeting.takes_place()) return;
    if (fixed) AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    RADDLE_ASSERT(data > 0);
    if (fixed) AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  });
  meeting.count();
  data = 2;
  other.join();
}

// The stack of a thread that has ended, touched in the same way as while it was there.
template <bool fixed>
void local_of_another() {
  Meeting meeting;
  std::atomic<int*> place{nullptr};
  std::atomic<bool> done{false};
  std::thread other([&] {
    int local = 1;
    place = &local;
    meeting.count();
    while (!done) std::this_thread::yield();
  });
  while (place == nullptr) std::this_thread::yield();
  *place = 2;
  bool met = meeting.takes_place();
  done = true;
  other.join();
  if (!fixed && met) *place = 3;
}

// Waiting for a lock, being woken and mutexes that are not plain, with every thread in every role.
template <bool fixed>
void all_sorts_of_mutexes() {
  std::mutex plain;
  std::recursive_mutex twice;
  int sum = 0;
  auto add = [&] {
    std::lock_guard<std::recursive_mutex> outer(twice);
    std::lock_guard<std::recursive_mutex> inner(twice);
    std::unique_lock<std::mutex> hold(plain, std::defer_lock);
    if (fixed) hold.lock();
    ++sum;
  };
  std::thread other(add);
  {
    std::lock_guard<std::mutex> hold(plain);
    ++sum;
  }
  add();
  other.join();
  RADDLE_ASSERT(sum == 3);
}

struct Case {
  const char* name;
  const char* kind;
  void (*wrong)();
  void (*fixed)();
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

const Case kCases[] = {
    {"before_creation", "data-race", before_creation<false>, before_creation<true>},
    {"after_join", "data-race", after_join<false>, after_join<true>},
    {"handed_on_by_update", "data-race", handed_on_by_update<false>, handed_on_by_update<true>},
    {"beside_an_atomic", "data-race", beside_an_atomic<false>, beside_an_atomic<true>},
    {"three_under_a_lock", "data-race", many_under_a_lock<false, 2>, many_under_a_lock<true, 2>},
    {"six_under_a_lock", "data-race", many_under_a_lock<false, 5>, many_under_a_lock<true, 5>},
    {"seventy_under_a_lock", "data-race", many_under_a_lock<false, 70>,
     many_under_a_lock<true, 70>},
    {"ignored_reads", "data-race", ignored_reads<false>, ignored_reads<true>},
    {"local_of_another", "use-after-free", local_of_another<false>, local_of_another<true>},
    {"all_sorts_of_mutexes", "data-race", all_sorts_of_mutexes<false>, all_sorts_of_mutexes<true>},
};

class ShortWays : public testing::TestWithParam<Case> {};

raddle::Options options_of(const Case& c, const char* strategy) {
  raddle::Options options;
  options.name = c.name;
  options.strategy = strategy;
  options.schedules = 20'000;
  options.milliseconds = 60'000;  // or a busy machine would decide
  return options;
}

TEST_P(ShortWays, RacesAreMet) {
  raddle::Result result = raddle::check(GetParam().wrong, options_of(GetParam(), "random"));
  if (!is_whole_program()) expect_found(result, GetParam().kind, "");
}

TEST_P(ShortWays, OrderedTwinsAreClean) {
  for (const char* strategy : {"random", "dfs", "pct"})
    expect_clean(raddle::check(GetParam().fixed, options_of(GetParam(), strategy)));
}

INSTANTIATE_TEST_SUITE_P(All, ShortWays, testing::ValuesIn(kCases),
                         [](const auto& c) { return c.param.name; });

}  // namespace
