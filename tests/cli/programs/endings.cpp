// SPDX-License-Identifier: Apache-2.0
// Ways in which a process or its memory ends while threads go on; the argument names one.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <thread>

static std::atomic<int> count{0};
static pthread_t joined;

static void two_exits() {
  std::thread([] { exit(3); }).detach();
  exit(4);
}

// Goes on for ever and changes something each time: it neither waits nor gives way.
static void endless() {
  std::thread([] {
    for (;;) count.fetch_add(1);
  }).detach();
}

static void waits() {
  static sem_t never;
  sem_init(&never, 0, 0);
  std::thread([] { sem_wait(&never); }).detach();
}

static void sleeps() {
  std::thread([] {
    for (;;) usleep(10);
  }).detach();
}

static void spins() {
  std::thread([] {
    while (count == 0) {
    }
  }).detach();
}

static void joins_in_handler() {
  atexit([] { pthread_join(joined, nullptr); });
  pthread_create(
      &joined, nullptr,
      [](void*) -> void* {
        exit(0);
        return nullptr;
      },
      nullptr);
}

static void leak() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* unused) {
        ++count;
        return unused;
      },
      nullptr);
}

// In few runs the first reads what the second has written in between.
static void leak_and_bug() {
  leak();
  std::thread one([] {
    int before = count;
    assert(count.fetch_add(1) <= before + 1);
  });
  std::thread two([] { count += 2; });
  one.join();
  two.join();
}

struct Gate {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t* opened = new pthread_cond_t(PTHREAD_COND_INITIALIZER);
  bool open = false;
  bool waits = false;
};

static void broadcast_and_free() {
  Gate gate;
  std::thread waiter([&] {
    pthread_mutex_lock(&gate.mutex);
    gate.waits = true;
    while (!gate.open) pthread_cond_wait(gate.opened, &gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
  });
  pthread_mutex_lock(&gate.mutex);
  gate.open = true;
  bool waits = gate.waits;
  if (waits) {
    pthread_cond_broadcast(gate.opened);
    pthread_cond_destroy(gate.opened);
    delete gate.opened;
  }
  pthread_mutex_unlock(&gate.mutex);
  waiter.join();
  if (!waits) delete gate.opened;
}

static void barrier_and_free() {
  auto* barrier = new pthread_barrier_t;
  pthread_barrier_init(barrier, nullptr, 2);
  auto meet = [barrier] {
    if (pthread_barrier_wait(barrier) != PTHREAD_BARRIER_SERIAL_THREAD) return;
    pthread_barrier_destroy(barrier);
    delete barrier;
  };
  std::thread one(meet), two(meet);
  one.join();
  two.join();
}

int main(int argc, char** argv) {
  struct {
    const char* name;
    void (*run)();
  } modes[] = {{"two_exits", two_exits},
               {"endless", endless},
               {"waits", waits},
               {"sleeps", sleeps},
               {"spins", spins},
               {"joins_in_handler", joins_in_handler},
               {"leak", leak},
               {"leak_and_bug", leak_and_bug},
               {"broadcast_and_free", broadcast_and_free},
               {"barrier_and_free", barrier_and_free}};
  for (auto& mode : modes)
    if (argc > 1 && strcmp(mode.name, argv[1]) == 0) {
      mode.run();
      return 0;
    }
  return 2;
}
