// SPDX-License-Identifier: Apache-2.0
// Stacks: deep recursion on a large one, alloca, and the size a thread sees of its own.
#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { kStack = 16 * 1024 * 1024, kDepth = 200 };

static int descend(int depth) {
  volatile char frame[2048];
  frame[0] = (char)(depth & 1);
  const int below = depth == 0 ? 0 : descend(depth - 1) + 1;
  return frame[0] == (depth & 1) ? below : -1;
}

static void* work(void* unused) {
  pthread_attr_t mine;
  void* base = NULL;
  size_t size = 0;
  pthread_getattr_np(pthread_self(), &mine);
  pthread_attr_getstack(&mine, &base, &size);
  pthread_attr_destroy(&mine);
  const char* here = (const char*)&mine;
  assert(size >= kStack && here > (char*)base && here < (char*)base + size);
  char* block = alloca(20000);
  memset(block, 5, 20000);
  assert(descend(kDepth) == kDepth && block[19999] == 5);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], &attributes, work, NULL);
  pthread_attr_destroy(&attributes);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
