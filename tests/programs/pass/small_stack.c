// SPDX-License-Identifier: Apache-2.0
// Fixed: the thread asks for a stack that is large enough.
#include <pthread.h>
#include <stddef.h>

enum { kDepth = 1024, kStack = 4 * 1024 * 1024 };

static int descend(int depth) {
  volatile char frame[1024];
  frame[depth % 1024] = (char)depth;
  const int below = depth == 0 ? 0 : descend(depth - 1) + 1;
  return frame[depth % 1024] == (char)depth ? below : -1;
}

static void* work(void* result) {
  *(int*)result = descend(kDepth);
  return NULL;
}

int main(void) {
  int result = 0;
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_create(&thread, &attributes, work, &result);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, NULL);
  return result == kDepth ? 0 : 1;
}
