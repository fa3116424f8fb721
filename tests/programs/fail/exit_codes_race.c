// SPDX-License-Identifier: Apache-2.0
// Bug: the thread that gives up ends the whole process, if it comes before main does.
// EXPECT: kind=exit-code within=100 message~"exit code 7" function=give_up
#include <pthread.h>
#include <stdlib.h>

static void* give_up(void* unused) {
  exit(7);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, give_up, NULL);
  pthread_detach(thread);
  exit(0);
}
