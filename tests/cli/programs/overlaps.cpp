// SPDX-License-Identifier: Apache-2.0
// Races of a thread that repeats an access after others have been at parts of the same bytes, or at
// all of them in parts. The argument says which. Sleeping lets others run and orders nothing.
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define PLACE __attribute__((noinline)) static
alignas(8) static unsigned char data[64], source[64];
static volatile int length = 40;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

PLACE void read8(void) { (void)*(volatile long*)data; }
PLACE void read4(void) { (void)*(volatile int*)data; }
PLACE void read4_elsewhere(void) { (void)*(volatile int*)data; }
PLACE void write8(void) { *(volatile long*)data = 1; }
PLACE void write4(int offset) { *(volatile int*)(data + offset) = 1; }
PLACE void write4_elsewhere(void) { *(volatile int*)data = 2; }
PLACE void write2(void) { *(volatile short*)data = 1; }
PLACE void write2_elsewhere(void) { *(volatile short*)data = 2; }
PLACE void copy(void) { memcpy(data, source, length); }
static void write_halves(void) {
  for (volatile int i = 0; i < 2; i = i + 1) write4(4 * i);
}
static void store(void) { __atomic_store_n((int*)data, 5, __ATOMIC_RELAXED); }

static void sleeps(int times) {
  for (int i = 0; i < times; ++i) usleep(1);
}
template <class Work>
static void locked(Work work) {
  pthread_mutex_lock(&mutex);
  work();
  pthread_mutex_unlock(&mutex);
}
template <void (*body)()>
static void* thread_of(void*) {
  body();
  sleeps(9);
  return nullptr;
}
template <void (*body)()>
static pthread_t start(void) {
  pthread_t thread;
  pthread_create(&thread, nullptr, thread_of<body>, nullptr);
  return thread;
}

static void locked_halves(void) { locked(write_halves); }
static void locked_store(void) { locked(store); }
static void part_and_rest(void) {
  locked(write2);
  sleeps(1);
  write4(4);
}
static void read8_twice(void) {
  locked(read8);
  sleeps(5);
  read8();
}
static void read4_twice(void) {
  locked(read4);
  sleeps(5);
  read4();
}
static void beside_an_atomic(void) {
  (void)__atomic_load_n((int*)(data + 4), __ATOMIC_RELAXED);
  write4(0);
  write2_elsewhere();
}
static void beside_a_handler(void) {
  raise(SIGUSR1);
  write4(0);
  write2_elsewhere();
}
static void beside_a_copy(void) {
  write8();
  write8();
  copy();
  write4_elsewhere();
  copy();
}

template <void (*first)(), void (*second)()>
static void one_after_the_other(void) {
  pthread_t early = start<first>();
  sleeps(1);
  pthread_t late = start<second>();
  pthread_join(early, nullptr);
  pthread_join(late, nullptr);
}
template <void (*others)(), void (*own)()>
static void visited(void) {
  pthread_t visitor = start<others>();
  sleeps(2);
  own();
  pthread_join(visitor, nullptr);
}
static void read4_at_two_places(void) {
  read4();
  read4_elsewhere();
}

int main(int, char** argv) {
  auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
  signal(SIGUSR1, [](int) { (void)*(volatile int*)(data + 4); });
  if (is("halves-of-a-child")) read8(), visited<write_halves, read8>();
  if (is("locked-halves")) one_after_the_other<read8_twice, locked_halves>();
  if (is("a-part-in-between")) one_after_the_other<read4_twice, part_and_rest>();
  if (is("an-atomic-in-between")) write4(0), one_after_the_other<read4_twice, locked_store>();
  if (is("after-an-atomic")) visited<store, read4_at_two_places>();
  if (is("beside-an-atomic")) visited<beside_an_atomic, read4>();
  if (is("beside-a-handler")) visited<beside_a_handler, read4>();
  if (is("beside-a-copy")) visited<beside_a_copy, read4>();
}
