// SPDX-License-Identifier: Apache-2.0
//
// Checks by name, the results as JSON: check_test.py changes the environment around them. Compiled
// by `raddle c++`.
#include <fcntl.h>
#include <raddle/check.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

// Outside of the variables that are put back after each run.
struct Seen {
  std::uint64_t runs;
  int descriptor;  // that a run gets: the lowest that the process has free
};
Seen& seen = *new Seen{};

// Fails if both threads read before one of them writes.
void rare() {
  ++seen.runs;
  std::atomic<int> number{0};
  auto add = [&] { number.store(number.load() + 1); };
  std::thread one(add), two(add);
  one.join();
  two.join();
  RADDLE_ASSERT(number == 2);
}

// Fails whatever the order; which order it was shows in the schedule.
void always() {
  ++seen.runs;
  std::atomic<int> number{0};
  std::thread other([&] { number = 1; });
  number = 2;
  other.join();
  RADDLE_ASSERT(number == 3);
}

void cycle() {
  std::mutex one, two;
  std::thread other([&] {
    std::lock_guard first(two);
    std::lock_guard second(one);
  });
  {
    std::lock_guard first(one);
    std::lock_guard second(two);
  }
  other.join();
}

// The first run initialises what later ones find: schedules of the two do not fit each other.
void warm() {
  static std::mutex mutex;
  static std::atomic<int> users{0};
  static const int base = [] {
    std::lock_guard lock(mutex);
    return users.load();
  }();
  std::atomic<int> number{base};
  auto add = [&] { number.store(number.load() + 1); };
  std::thread one(add), two(add);
  one.join();
  two.join();
  RADDLE_ASSERT(number == 2);
}

void racy() {
  int plain = 0;
  std::thread other([&] { plain = 1; });
  plain = 2;
  other.join();
}

// What libstdc++ 12 does inside races, and is none of the test's.
void pointers() {
  std::atomic<std::shared_ptr<int>> latest;
  std::thread other([&] { latest.store(std::make_shared<int>(1)); });
  std::shared_ptr<int> seen = latest.load();
  RADDLE_ASSERT(seen == nullptr || *seen == 1);
  other.join();
}

void crash() {
  int value = 0;
  std::atomic<int*> pointer{&value};
  std::thread other([&] { pointer = nullptr; });
  *const_cast<volatile int*>(pointer.load()) = 1;
  other.join();
}

void clean() {
  ++seen.runs;
  std::atomic<int> number{0};
  std::thread other([&] {
    for (int i = 0; i < 20; ++i) ++number;
  });
  for (int i = 0; i < 20; ++i) ++number;
  other.join();
}

// Two threads take turns, each with a lock of its own: nothing races.
void turns() {
  std::mutex locks[2], state;
  std::condition_variable changed;
  int turn = 0, entries = 0;
  auto work = [&](int me) {
    for (int i = 0; i < 2; ++i) {
      std::unique_lock hold(state);
      changed.wait(hold, [&] { return turn == me; });
      hold.unlock();
      locks[me].lock();
      ++entries;
      locks[me].unlock();
      hold.lock();
      turn = 1 - me;
      changed.notify_one();
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}

// Adds in two steps, each below a lock; or both below another one.
bool kept_together;
void ledger() {
  std::mutex lock, outer;
  int balance = 0;
  auto add = [&] {
    if (kept_together) outer.lock();
    lock.lock();
    int before = balance;
    lock.unlock();
    lock.lock();
    balance = before + 1;
    lock.unlock();
    if (kept_together) outer.unlock();
  };
  std::thread one(add), two(add);
  one.join();
  two.join();
}

// Places that race show one after the other: each is reached only when the one before has raced.
void relay() {
  volatile int ready = 0, seen = 0, done = 0;
  std::thread one([&] {
    ready = 1;
    if (seen == 1) done = 1;
  });
  std::thread two([&] {
    if (ready == 1) seen = 1;
    if (done == 1) ready = 2;
  });
  one.join();
  two.join();
}

// 2,520 orders, that a systematic search does not get through at once.
void orders() {
  std::atomic<int> number{0};
  auto add = [&] {
    for (int i = 0; i < 4; ++i) ++number;
  };
  std::thread one(add), two([&] { number += 2, number += 3; });
  add();
  one.join();
  two.join();
}

void opens() {
  int file = open("/dev/null", O_RDONLY);
  seen.descriptor = file;
  close(file);
  clean();
}

struct {
  const char* name;
  void (*body)();
} const kTests[] = {{"rare", rare},          {"always", always},    {"cycle", cycle},
                    {"warm", warm},          {"racy", racy},        {"crash", crash},
                    {"clean", clean},        {"turns", turns},      {"ledger", ledger},
                    {"good_ledger", ledger}, {"relay", relay},      {"orders", orders},
                    {"opens", opens},        {"pointers", pointers}};

void print(const char* key, const std::string& text, const char* end = ", ") {
  std::printf("\"%s\": \"", key);
  for (char c : text) {
    if (c == '\n')
      std::printf("\\n");
    else if (c == '"' || c == '\\')
      std::printf("\\%c", c);
    else
      std::putchar(c);
  }
  std::printf("\"%s", end);
}

void print(const char* name, const raddle::Result& result) {
  std::printf("{");
  print("name", name);
  print("error", result.error);
  print("notes", result.notes);
  print("guarantee", result.guarantee);
  print("stopped", result.stopped);
  std::printf("\"suppressed\": %llu, \"search_runs\": %llu, \"descriptor\": %d, ",
              static_cast<unsigned long long>(result.suppressed),
              static_cast<unsigned long long>(result.search_runs), seen.descriptor);
  std::printf("\"schedules\": %llu, \"steps\": %llu, \"runs\": %llu, \"complete\": %s, ",
              static_cast<unsigned long long>(result.schedules),
              static_cast<unsigned long long>(result.steps),
              static_cast<unsigned long long>(seen.runs), result.complete ? "true" : "false");
  std::printf("\"seconds\": %f, \"findings\": [", result.seconds);
  for (const raddle::Finding& finding : result.findings) {
    std::printf(&finding == &result.findings[0] ? "{" : ", {");
    print("kind", finding.kind);
    print("message", finding.message);
    print("story", finding.story);
    print("file", finding.schedule_file, "}");
  }
  std::printf("]}\n");
  std::fflush(stdout);
}

}  // namespace

// sample NAME...: the checks of these names, after each other.
int main(int argc, char** argv) {
  bool passed = true;
  for (int i = 1; i < argc; ++i) {
    for (const auto& test : kTests) {
      if (std::strcmp(test.name, argv[i]) != 0) continue;
      seen = {};
      kept_together = std::strcmp(test.name, "good_ledger") == 0;
      raddle::Result result = raddle::check(test.body, {.name = test.name});
      passed = passed && result.passed();
      if (!result.whole_program) print(test.name, result);
    }
  }
  return passed ? 0 : 1;
}
