// SPDX-License-Identifier: Apache-2.0
// An object on the heap, with its lock in one place and another lock in the other.
// EXPECT: "heap block" "holding `registry`"
#include "detectors/threads.h"

struct Session {
  pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
  int packets = 0;
};

pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
Session* session;

void send() {
  for (int i = 0; i < 2; ++i) {
    Guard hold(session->guard);
    ++session->packets;
  }
}

void reset() {
  for (int i = 0; i < 2; ++i) {
    Guard hold(registry);
    session->packets = 0;
  }
}

int main() {
  session = new Session;
  run_together(send, reset);
  delete session;
}
