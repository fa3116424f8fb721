// SPDX-License-Identifier: Apache-2.0
// Fixed: the sink's destructor keeps its value for another round while a log is still open.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t sink_key;
static pthread_key_t log_key;
static int sink;
static atomic_int flushed;

static void close_sink(void* value) {
  if (pthread_getspecific(log_key) != NULL) pthread_setspecific(sink_key, value);
}

static void flush_log(void* value) {
  int* target = pthread_getspecific(sink_key);
  *target += *(int*)value;
  atomic_store(&flushed, 1);
}

static void* work(void* log) {
  pthread_setspecific(sink_key, &sink);
  pthread_setspecific(log_key, log);
  pthread_exit(NULL);
}

int main(void) {
  int log = 3;
  pthread_t thread;
  pthread_key_create(&sink_key, close_sink);
  pthread_key_create(&log_key, flush_log);
  pthread_create(&thread, NULL, work, &log);
  pthread_join(thread, NULL);
  return atomic_load(&flushed) == 1 && sink == 3 ? 0 : 1;
}
