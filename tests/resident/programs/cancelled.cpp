// SPDX-License-Identifier: Apache-2.0
//
// Threads are cancelled, with handlers for it, and main leaves before its threads.
#include "fresh.h"

namespace {

int cleaned;
void clean(void*) { ++cleaned; }
void* forever(void*) {
  pthread_cleanup_push(clean, nullptr);
  for (;;) usleep(1000);
  pthread_cleanup_pop(0);
  return nullptr;
}
void look() {
  FRESH(cleaned == 0);
  int old = -1;
  FRESH(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
}
void leave(int order) {
  pthread_t thread;
  pthread_create(&thread, nullptr, forever, nullptr);
  pthread_cancel(thread);
  if (order == 12) pthread_join(thread, nullptr);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
