// SPDX-License-Identifier: Apache-2.0
//
// Two producers write records to one pipe, each by one write, which the kernel keeps whole.
// SCHEDULES: 500
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* produce(void* argument) {
  char name = *(char*)argument;
  char record[3] = {name, name, name};
  assert(write(ends[1], record, 3) == 3);
  return NULL;
}

static void consume(void) {
  char record[3];
  for (int i = 0; i < 3; ++i) assert(read(ends[0], &record[i], 1) == 1);
  assert(record[1] == record[0] && record[2] == record[0]);
}

int main(void) {
  pthread_t producers[2];
  char names[2] = {'a', 'b'};
  assert(pipe(ends) == 0);
  for (int i = 0; i < 2; ++i) pthread_create(&producers[i], NULL, produce, &names[i]);
  consume();
  consume();
  for (int i = 0; i < 2; ++i) pthread_join(producers[i], NULL);
  return 0;
}
