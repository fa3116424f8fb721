// SPDX-License-Identifier: Apache-2.0
//
// Two threads start a child each and wait for that child.
// SCHEDULES: 200
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static void* run_child(void* argument) {
  int code = *(int*)argument;
  int status;
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) _exit(code);
  pid_t ended = waitpid(child, &status, 0);
  assert(ended > 0 && WIFEXITED(status));
  assert(WEXITSTATUS(status) == code);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int codes[2] = {3, 4};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, run_child, &codes[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
