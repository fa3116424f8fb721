// SPDX-License-Identifier: Apache-2.0
// Fixed: whoever ends the process, it ends well.
// UNCONTROLLED: skip
#include <pthread.h>
#include <stdlib.h>

static void* give_up(void* unused) {
  exit(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, give_up, NULL);
  pthread_detach(thread);
  exit(0);
}
