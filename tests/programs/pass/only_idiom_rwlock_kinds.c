// SPDX-License-Identifier: Apache-2.0
// A reader-writer lock that is tried, waited for with a deadline, and read recursively; a writer
// that downgrades keeps others out until it has read what it wrote.
// SCHEDULES: 20
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static int table[2];

static void* read_table(void* unused) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 3600;
  for (int i = 0; i < 2; ++i) {
    int error = pthread_rwlock_tryrdlock(&table_lock);
    if (error != 0) {
      assert(error == EBUSY);
      assert(pthread_rwlock_timedrdlock(&table_lock, &deadline) == 0);
    }
    assert(pthread_rwlock_rdlock(&table_lock) == 0);  // again
    assert(table[0] == table[1]);
    assert(pthread_rwlock_unlock(&table_lock) == 0);
    assert(pthread_rwlock_unlock(&table_lock) == 0);
  }
  return unused;
}

static void* write_table(void* unused) {
  pthread_mutex_lock(&writers);  // no other writer gets between writing and reading
  assert(pthread_rwlock_wrlock(&table_lock) == 0);
  int mine = ++table[0];
  ++table[1];
  assert(pthread_rwlock_unlock(&table_lock) == 0);
  assert(pthread_rwlock_rdlock(&table_lock) == 0);
  assert(table[0] == mine);
  assert(pthread_rwlock_unlock(&table_lock) == 0);
  pthread_mutex_unlock(&writers);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  assert(pthread_create(&threads[0], NULL, read_table, NULL) == 0);
  assert(pthread_create(&threads[1], NULL, write_table, NULL) == 0);
  assert(pthread_create(&threads[2], NULL, write_table, NULL) == 0);
  for (int i = 0; i < 3; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(table[0] == 2 && table[1] == 2);
  assert(pthread_rwlock_trywrlock(&table_lock) == 0 && pthread_rwlock_unlock(&table_lock) == 0);
  return 0;
}
