// SPDX-License-Identifier: Apache-2.0
// Bug: a thread that is cancelled while it sleeps keeps its lock for ever.
// EXPECT: kind=deadlock within=50 function=main
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int records;

static void* write_records(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  ++records;
  usleep(1000);  // a cancellation point
  ++records;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t writer;
  void* result = NULL;
  pthread_create(&writer, NULL, write_records, NULL);
  pthread_cancel(writer);
  pthread_join(writer, &result);
  pthread_mutex_lock(&lock);
  const int count = records;
  pthread_mutex_unlock(&lock);
  return result == PTHREAD_CANCELED ? count == 2 : count != 2;
}
