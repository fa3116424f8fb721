// SPDX-License-Identifier: Apache-2.0
// errno belongs to a thread and survives a switch.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

static void* fail_close(void* unused) {
  const int result = close(-1);
  sched_yield();
  assert(result == -1 && errno == EBADF);
  return unused;
}

static void* fail_access(void* unused) {
  const int result = access("/no/such/file", F_OK);
  sched_yield();
  assert(result == -1 && errno == ENOENT);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  errno = 0;
  pthread_create(&threads[0], NULL, fail_close, NULL);
  pthread_create(&threads[1], NULL, fail_access, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(errno == 0);
  return 0;
}
