// SPDX-License-Identifier: Apache-2.0
//
// Two threads whose interleaving idioms are known by hand; the argument says which two. Every
// access is a function of its own, so that its name tells it apart: Wx writes x, Rx2 is the second
// function that reads x, Lm locks m, Um unlocks it.
#include <pthread.h>
#include <semaphore.h>

#include <cstring>
#include <thread>

namespace {

int x, y;
int sink[2];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
sem_t ready;

#define ACCESS(name, what)                       \
  [[gnu::noinline]] void name(int thread) {      \
    what;                                        \
    asm volatile("" : : "r"(thread) : "memory"); \
  }
ACCESS(Wx, x = 1)
ACCESS(Wx2, x = 2)
ACCESS(Rx, sink[thread] += x)
ACCESS(Rx2, sink[thread] -= x)
ACCESS(Wy, y = 1)
ACCESS(Ry, sink[thread] += y)
ACCESS(Lm, pthread_mutex_lock(&m))
ACCESS(Um, pthread_mutex_unlock(&m))
ACCESS(Ln, pthread_mutex_lock(&n))
ACCESS(Un, pthread_mutex_unlock(&n))
ACCESS(Lm2, pthread_mutex_lock(&m))
ACCESS(Um2, pthread_mutex_unlock(&m))
ACCESS(Ln2, pthread_mutex_lock(&n))
ACCESS(Un2, pthread_mutex_unlock(&n))

template <class First, class Second>
int both(First first, Second second) {
  std::thread one([&] { first(); }), two([&] { second(); });
  one.join();
  two.join();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  auto is = [&](const char* name) { return argc == 2 && std::strcmp(argv[1], name) == 0; };
  if (is("order")) return both([] { Wx(0); }, [] { Rx(1); });
  if (is("signalled")) {
    sem_init(&ready, 0, 0);
    return both([] { Wx(0), sem_post(&ready); }, [] { sem_wait(&ready), Rx(1); });
  }
  if (is("one_between")) return both([] { Rx(0), Rx2(0); }, [] { Wx(1); });
  if (is("two_between")) return both([] { Rx(0), Rx2(0); }, [] { Wx(1), Wx2(1); });
  if (is("locked"))
    return both([] { Lm(0), Rx(0), Rx2(0), Um(0); }, [] { Lm2(1), Wx(1), Wx2(1), Um2(1); });
  if (is("two_variables")) return both([] { Wx(0), Ry(0); }, [] { Rx(1), Wy(1); });
  if (is("crossing")) return both([] { Wx(0), Ry(0); }, [] { Wy(1), Rx(1); });
  if (is("deadlock"))
    return both([] { Lm(0), Ln(0), Un(0), Um(0); }, [] { Ln2(1), Lm2(1), Um2(1), Un2(1); });
  if (is("same_order"))
    return both([] { Lm(0), Ln(0), Un(0), Um(0); }, [] { Lm2(1), Ln2(1), Un2(1), Um2(1); });
  return 2;
}
