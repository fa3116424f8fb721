// SPDX-License-Identifier: Apache-2.0
// Fixed: both only read: readers do not wait for readers, whatever the order.
// SCHEDULES: 200
#include <pthread.h>

static pthread_rwlock_t prices = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t stock = PTHREAD_RWLOCK_INITIALIZER;
static int price = 3, amount = 4;
static int seen[2];

static void* update_stock(void* unused) {
  pthread_rwlock_rdlock(&prices);
  pthread_rwlock_rdlock(&stock);
  seen[0] = price > 0 && amount > 0;
  pthread_rwlock_unlock(&stock);
  pthread_rwlock_unlock(&prices);
  return unused;
}

static void* update_prices(void* unused) {
  pthread_rwlock_rdlock(&stock);
  pthread_rwlock_rdlock(&prices);
  seen[1] = price > 0 && amount > 0;
  pthread_rwlock_unlock(&prices);
  pthread_rwlock_unlock(&stock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, update_stock, 0);
  pthread_create(&threads[1], 0, update_prices, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return seen[0] && seen[1] ? 0 : 1;
}
