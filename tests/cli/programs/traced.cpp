// SPDX-License-Identifier: Apache-2.0
//
// Small programs whose traces (classes of interleavings that differ in the order of independent
// steps only) can be counted by hand: the first argument names one. known_counts_test.py derives
// the counts. All objects are global, so that nothing is initialised or destroyed in a run.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

using Body = std::function<void()>;

std::atomic<int> x{0}, y{0};
std::atomic<int> own[4];
int plain = 0;
pthread_mutex_t mutexes[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                              PTHREAD_MUTEX_INITIALIZER};
pthread_mutex_t& mutex = mutexes[0];
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
sem_t semaphore;
bool ready = false;

void run(const std::vector<Body>& bodies) {
  std::vector<std::thread> threads;
  for (const Body& body : bodies) threads.emplace_back(body);
  for (std::thread& thread : threads) thread.join();
}

void increment_locked(int turns) {
  for (int i = 0; i < turns; ++i) {
    pthread_mutex_lock(&mutex);
    ++plain;
    pthread_mutex_unlock(&mutex);
  }
}

void eat(int first, int second) {
  pthread_mutex_lock(&mutexes[first]);
  pthread_mutex_lock(&mutexes[second]);
  pthread_mutex_unlock(&mutexes[second]);
  pthread_mutex_unlock(&mutexes[first]);
}

void add(int times) {
  for (int i = 0; i < times; ++i) x.fetch_add(1);
}

void claim(int me) {
  int nobody = 0;
  x.compare_exchange_strong(nobody, me);
}

void try_once() {
  if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
}

void lock_once() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

void read_locked() {
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
}

void write_locked() {
  pthread_rwlock_wrlock(&rwlock);
  ++plain;
  pthread_rwlock_unlock(&rwlock);
}

void read_often(int times) {
  auto* racing = static_cast<volatile int*>(&plain);
  if (times == 2) {
    int seen = *racing;
    seen += *racing;
    return;
  }
  int seen = *racing + 2 * *racing;
  seen += *racing + 2 * *racing;
}

// Threads that go on when main has returned.
void leave(const std::vector<Body>& bodies) {
  for (const Body& body : bodies) std::thread(body).detach();
}

void wait_until_ready() {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
}

void make_ready() {
  pthread_mutex_lock(&mutex);
  ready = true;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
}

void locks(const char* name, int number) {
  if (strcmp(name, "locked") == 0) {
    Body body = [=] { increment_locked(number); };
    run({body, body, body});
  } else if (strcmp(name, "philosophers") == 0) {
    run({[] { eat(0, 1); }, [] { eat(1, 2); }, [] { eat(2, 0); }});
  } else if (strcmp(name, "crossed") == 0) {
    run({[] { eat(0, 1); }, [] { eat(1, 0); }});
  } else if (strcmp(name, "trylock") == 0) {
    run({lock_once, try_once});
  } else if (strcmp(name, "read_locks") == 0) {
    run({read_locked, read_locked});
  } else if (strcmp(name, "readers_and_writer") == 0) {
    run({read_locked, read_locked, write_locked});
  } else if (strcmp(name, "reader_and_writers") == 0) {
    run({read_locked, write_locked, write_locked});
  } else if (strcmp(name, "condition") == 0) {
    run({wait_until_ready, make_ready});
  } else if (strcmp(name, "semaphore") == 0) {
    sem_init(&semaphore, 0, 0);
    Body post = [] { sem_post(&semaphore); };
    run({post, post, [] { sem_wait(&semaphore); }});
  } else {
    exit(2);
  }
}

void accesses(const char* name, int number) {
  if (strcmp(name, "disjoint") == 0) {
    auto body = [](int me) { return [me] { own[me].fetch_add(1), own[me].fetch_add(1); }; };
    run({body(0), body(1), body(2)});
  } else if (strcmp(name, "store_buffer") == 0) {
    run({[] { x.store(1), y.load(); }, [] { y.store(1), x.load(); }});
  } else if (strcmp(name, "message") == 0) {
    run({[] { x.store(1), y.store(1); }, [] { y.load(), x.load(); }});
  } else if (strcmp(name, "load_buffer") == 0) {
    run({[] { x.load(), y.store(1); }, [] { y.load(), x.store(1); }});
  } else if (strcmp(name, "adders") == 0) {
    run({[] { add(2); }, [] { add(2); }});
  } else if (strcmp(name, "claims") == 0) {
    run({[] { claim(1); }, [] { claim(2); }, [] { claim(3); }});
  } else if (strcmp(name, "readers") == 0) {
    std::vector<Body> bodies(static_cast<std::size_t>(number), [] { x.load(); });
    bodies.push_back([] { x.store(1); });
    run(bodies);
  } else if (strcmp(name, "two_stores") == 0) {
    run({[] { x.load(); }, [] { x.load(); }, [] { x.store(1), x.store(2); }});
  } else if (strcmp(name, "apart_and_together") == 0) {
    auto body = [](int me) { return [me] { own[me].fetch_add(1), x.fetch_add(1); }; };
    run({body(0), body(1)});
  } else if (strcmp(name, "plain") == 0) {
    Body body = [] { plain = plain + 1; };
    run({body, body});
  } else if (strcmp(name, "reads") == 0) {
    run({[=] { read_often(number); }, [] { *static_cast<volatile int*>(&plain) = 1; }});
  } else if (strcmp(name, "detached") == 0) {
    leave({[=] { add(number); }, [=] { add(number); }, [=] { add(number); }});
  } else if (strcmp(name, "exits") == 0) {
    leave({[] { exit(0); }, [] { exit(0); }});
  } else {
    locks(name, number);
  }
}

int main(int argc, char** argv) { accesses(argc > 1 ? argv[1] : "", argc > 2 ? atoi(argv[2]) : 0); }
