// SPDX-License-Identifier: Apache-2.0
// The error path unlocks before it jumps.
// SCHEDULES: 500
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int parsed, rejected;

static void reject(jmp_buf out) {
  ++rejected;
  pthread_mutex_unlock(&lock);
  longjmp(out, 1);
}

static void parse(int text, jmp_buf out) {
  pthread_mutex_lock(&lock);
  if (text < 0) reject(out);
  parsed += text;
  pthread_mutex_unlock(&lock);
}

static void* work(void* argument) {
  jmp_buf out;
  if (setjmp(out) == 0) parse(*(const int*)argument, out);
  return NULL;
}

int main(void) {
  static int texts[2] = {4, -1};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &texts[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return parsed != 4 || rejected != 1;
}
