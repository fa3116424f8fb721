// SPDX-License-Identifier: Apache-2.0
//
// system, popen in both directions, posix_spawn and a pipe to a forked child, each in a thread of
// its own, while another thread computes.
// SCHEDULES: 50
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int turns;

static void* use_system(void* unused) {
  assert(getenv("RADDLE_CONTROL") == NULL && getenv("LD_PRELOAD") == NULL);
  int status = system("exit 7");
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  return unused;
}

static void* use_popen(void* unused) {
  char line[32] = "";
  FILE* output = popen("echo out; exit 3", "r");
  assert(fgets(line, sizeof line, output) != NULL && strcmp(line, "out\n") == 0);
  assert(fgets(line, sizeof line, output) == NULL);
  assert(WEXITSTATUS(pclose(output)) == 3);
  FILE* input = popen("read x; test \"$x\" = in", "w");
  fputs("in\n", input);
  assert(pclose(input) == 0);
  return unused;
}

static void* use_fork(void* unused) {
  int ends[2], status;
  char byte = 0;
  assert(pipe2(ends, 0) == 0);
  pid_t child = fork();
  if (child == 0) _exit(write(ends[1], "c", 1) == 1 ? 0 : 1);
  assert(read(ends[0], &byte, 1) == 1 && byte == 'c');
  assert(waitpid(child, &status, 0) == child && status == 0);
  return unused;
}

static void* use_spawn(void* unused) {
  char* arguments[] = {"true", NULL};
  pid_t child;
  assert(posix_spawnp(&child, "true", NULL, NULL, arguments, environ) == 0);
  assert(waitpid(child, NULL, 0) == child);
  return unused;
}

int main(void) {
  void* (*jobs[4])(void*) = {use_system, use_popen, use_fork, use_spawn};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, jobs[i], NULL);
  for (int i = 0; i < 20; ++i) atomic_fetch_add(&turns, 1);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return 0;
}
