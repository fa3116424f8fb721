// SPDX-License-Identifier: Apache-2.0
//
// Stacks of threads are as new: large ones, small ones, and the program's own.
// SCHEDULES: 16
#include <alloca.h>
#include <sys/mman.h>

#include "fresh.h"

namespace {

alignas(4096) char own[128 << 10];
__attribute__((noinline)) void* look_and_fill(void* wanted) {
  size_t size = reinterpret_cast<size_t>(wanted);
  char* room = static_cast<char*>(alloca(size));
  long sum = 0;
  for (size_t i = 0; i + 20000 < size; i += 64) sum += static_cast<volatile char*>(room)[i] != 0;
  memset(room, 0xab, size);
  asm volatile("" ::"r"(room) : "memory");
  return reinterpret_cast<void*>(sum);
}
void one(size_t stack, size_t used, char* place) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (place != nullptr) {
    pthread_attr_setstack(&attributes, place, stack);
  } else {
    pthread_attr_setstacksize(&attributes, stack);
  }
  pthread_t thread;
  FRESH(pthread_create(&thread, &attributes, look_and_fill, reinterpret_cast<void*>(used)) == 0);
  void* sum = nullptr;
  pthread_join(thread, &sum);
  FRESH(sum == nullptr);
}
void look() {
  one(64 << 20, 3 << 20, nullptr);
  one(sizeof own, 64 << 10, own);
}
void leave(int order) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (order << 12) + (1 << 20));
  pthread_t thread;
  pthread_create(&thread, &attributes, look_and_fill, reinterpret_cast<void*>(1 << 19));
  pthread_detach(thread);
  usleep(1);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
