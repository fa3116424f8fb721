// SPDX-License-Identifier: Apache-2.0
// Threads that come to one variable one after the other, each with accesses of its own between two
// visits of others. The argument says which.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#ifdef NEIGHBOURS
alignas(8) static struct { int data, seen; } both;
#define data both.data
#define seen both.seen
#else
alignas(8) static int data;
alignas(8) static int seen;
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Each call is a place of its own.
#define KEEP() __asm__ volatile("" ::: "memory")
#define WRITE(value) \
  ({                 \
    data = (value);  \
    KEEP();          \
  })
#define READ()    \
  ({              \
    seen += data; \
    KEEP();       \
  })

static void read_write(void) {
  READ();
  WRITE(1);
}
static void write_read(void) {
  WRITE(1);
  READ();
}
static void read_once(void) { READ(); }
static void write_once(void) { WRITE(3); }
static void write_often(void) {
  for (int i = 0; i < 1000; ++i) WRITE(i);
  WRITE(5);
  for (int i = 0; i < 1000; ++i) READ();
}
static void read_read_write(void) {
  READ();
  READ();
  WRITE(4);
}

static void set(void) { WRITE(1); }
static void get(void) { READ(); }

// The first thread does the same before and after another one, which it has created, came.
static void* visit(void* body) {
  reinterpret_cast<void (*)(void)>(body)();
  return nullptr;
}
static int stay(void (*own)(void), void (*others)(void)) {
  pthread_t visitor;
  own();
  pthread_create(&visitor, nullptr, visit, reinterpret_cast<void*>(others));
  usleep(1);  // lets it run, and orders nothing
  own();
  return pthread_join(visitor, nullptr);
}

struct Shape {
  const char* name;
  void (*threads[3])(void);
};
static const Shape shapes[] = {
    {"read-write", {read_write, read_once, nullptr}},
    {"write-read", {write_read, write_once, nullptr}},
    {"readers", {read_once, read_once, write_once}},
    {"own", {write_once, read_read_write, nullptr}},
    {"loops", {write_often, write_often, read_once}},
};

static void* work(void* body) {
  pthread_mutex_lock(&mutex);
  reinterpret_cast<void (*)(void)>(body)();
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main(int, char** argv) {
  if (strcmp(argv[1], "set-again") == 0) return stay(set, get);
  if (strcmp(argv[1], "get-again") == 0) return stay(get, set);
  for (const Shape& shape : shapes) {
    if (strcmp(shape.name, argv[1]) != 0) continue;
    pthread_t threads[3];
    int count = 0;
    for (auto body : shape.threads)
      if (body != nullptr)
        pthread_create(&threads[count++], nullptr, work, reinterpret_cast<void*>(body));
    for (int i = 0; i < count; ++i) pthread_join(threads[i], nullptr);
    return 0;
  }
  return 1;
}
