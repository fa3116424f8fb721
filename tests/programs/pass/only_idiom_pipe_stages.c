// SPDX-License-Identifier: Apache-2.0
// Three stages joined by pipes; each ends when the one before it closes its end. A pipe of tokens
// limits how many jobs are under way, as make's job server does.
// SCHEDULES: 20
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { kJobs = 4, kTokens = 2 };
static int first[2];
static int second[2];
static int tokens[2];

static void* produce(void* unused) {
  for (int job = 1; job <= kJobs; ++job) {
    char token = 0;
    assert(read(tokens[0], &token, 1) == 1 && token == 't');
    assert(write(first[1], &job, sizeof job) == sizeof job);
  }
  assert(close(first[1]) == 0);
  return unused;
}

static void* square(void* unused) {
  int job = 0;
  while (read(first[0], &job, sizeof job) == sizeof job) {
    job *= job;
    assert(write(second[1], &job, sizeof job) == sizeof job);
  }
  assert(close(second[1]) == 0);
  return unused;
}

int main(void) {
  assert(pipe(first) == 0 && pipe(second) == 0 && pipe(tokens) == 0);
  for (int i = 0; i < kTokens; ++i) assert(write(tokens[1], "t", 1) == 1);
  pthread_t threads[2];
  assert(pthread_create(&threads[0], NULL, produce, NULL) == 0);
  assert(pthread_create(&threads[1], NULL, square, NULL) == 0);
  int sum = 0;
  int result = 0;
  while (read(second[0], &result, sizeof result) == sizeof result) {
    sum += result;
    assert(write(tokens[1], "t", 1) == 1);
  }
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(sum == 30);
  return 0;
}
