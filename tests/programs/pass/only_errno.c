// SPDX-License-Identifier: Apache-2.0
// errno belongs to a thread and survives a switch; calls that succeed leave it alone.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/wait.h>
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

// Waits for its input and for a child.
static void* succeed(void* unused) {
  int ends[2];
  char byte = 0;
  assert(pipe(ends) == 0);
  errno = 0;
  const pid_t child = fork();
  if (child == 0) _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
  struct pollfd file = {ends[0], POLLIN, 0};
  assert(poll(&file, 1, -1) == 1 && errno == 0);
  assert(read(ends[0], &byte, 1) == 1 && errno == 0);
  assert(waitpid(child, NULL, 0) == child && errno == 0);
  close(ends[0]);
  close(ends[1]);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  errno = 0;
  pthread_create(&threads[0], NULL, fail_close, NULL);
  pthread_create(&threads[1], NULL, fail_access, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(errno == 0);
  succeed(NULL);
  return 0;
}
