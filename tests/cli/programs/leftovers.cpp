// SPDX-License-Identifier: Apache-2.0
// Unit tests that leave something behind, each with a twin that does not. `leftovers TEST` prints
// the result of one.
#include <pthread.h>
#include <raddle/check.h>
#include <semaphore.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <iostream>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

// -- globals -----------------------------------------------------------------------------------

static std::map<int, int> g_cache;  // where: cache
static int g_sum;
static std::mutex g_lock;
static std::shared_mutex g_shared;
static std::condition_variable g_ready;
static std::once_flag g_once;
static std::atomic<int> g_turns;

static void fill(bool clean) {
  std::thread other([] {
    std::lock_guard<std::mutex> hold(g_lock);
    g_cache[static_cast<int>(g_cache.size())] = 1;
  });
  other.join();
  if (clean) g_cache.clear();
}

static int calls() {
  static int count = 0;  // where: count
  return ++count;
}
static void count() { calls(); }

static int table_size() {
  static const std::map<int, int> table{{1, 2}, {3, 4}};
  static std::string name = "computed once";
  return static_cast<int>(table.size() + name.size());
}

// Everything that is made when it is first used, and global synchronisation.
static void use_globals() {
  bool ready = false;
  std::call_once(g_once, [] { g_sum = table_size(); });
  std::thread other([&] {
    std::lock_guard<std::mutex> hold(g_lock);
    std::shared_lock<std::shared_mutex> read(g_shared);
    ready = true;
    g_ready.notify_one();
    ++g_turns;
  });
  {
    std::unique_lock<std::mutex> hold(g_lock);
    g_ready.wait(hold, [&] { return ready; });
  }
  other.join();
  std::lock_guard<std::shared_mutex> write(g_shared);
  --g_turns;
  RADDLE_ASSERT(g_sum == table_size());
}

// Fails in a run that has others before it, and in no repetition of the first one.
static void fail_late() {
  std::thread other([] { ++g_turns; });
  other.join();
  RADDLE_ASSERT(g_turns < 40);
}

// -- objects that are not destroyed ------------------------------------------------------------

struct Objects {
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spin;
  pthread_cond_t ready;
  sem_t free;
  pthread_barrier_t barrier;

  Objects() {
    pthread_mutex_init(&mutex, nullptr);         // where: mutex
    pthread_rwlock_init(&rwlock, nullptr);       // where: rwlock
    pthread_spin_init(&spin, 0);                 // where: spin
    pthread_cond_init(&ready, nullptr);          // where: cond
    sem_init(&free, 0, 1);                       // where: sem
    pthread_barrier_init(&barrier, nullptr, 2);  // where: barrier
  }
  void use() {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  void destroy() {
    pthread_mutex_destroy(&mutex);
    pthread_rwlock_destroy(&rwlock);
    pthread_spin_destroy(&spin);
    pthread_cond_destroy(&ready);
    sem_destroy(&free);
    pthread_barrier_destroy(&barrier);
  }
};

static void initialise(bool clean) {
  Objects objects;
  std::thread other([&] { objects.use(); });
  objects.use();
  other.join();
  if (clean) objects.destroy();
}

// Initialised by the first run that comes here, for all of them.
static void initialise_once() {
  static Objects objects;
  std::thread other([] { objects.use(); });
  objects.use();
  other.join();
}

// -- locks that are still locked ---------------------------------------------------------------

static void leave_locked(bool clean) {
  std::thread other([&] {
    g_lock.lock();  // where: lock
    if (clean) g_lock.unlock();
  });
  other.join();
}

static void leave_read_locked(bool clean) {
  std::thread other([] { std::shared_lock<std::shared_mutex> hold(g_shared); });
  other.join();
  g_shared.lock_shared();  // where: read
  if (clean) g_shared.unlock_shared();
}

// -- threads -----------------------------------------------------------------------------------

static void leave_waiting(bool clean) {
  auto* free = new sem_t;
  sem_init(free, 0, 0);
  std::thread other([=] {  // where: thread
    sem_wait(free);
    sem_destroy(free);
    delete free;
  });
  if (clean) sem_post(free);
  other.detach();
}

int main(int argc, char** argv) {
  std::string test = argc > 1 ? argv[1] : "";
  bool clean = argc > 2 && strcmp(argv[2], "clean") == 0;
  auto body = [&] {
    if (test == "cache") fill(clean);
    if (test == "count") count();
    if (test == "globals") use_globals();
    if (test == "late") fail_late();
    if (test == "objects") initialise(clean);
    if (test == "once") initialise_once();
    if (test == "locked") leave_locked(clean);
    if (test == "read") leave_read_locked(clean);
    if (test == "thread") leave_waiting(clean);
  };
  raddle::Options options;
  options.name = test;
  options.schedules = 500;
  raddle::Result result = raddle::check(body, options);
  std::cout << result;
  return result ? 0 : 1;
}
