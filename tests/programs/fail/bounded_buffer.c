// SPDX-License-Identifier: Apache-2.0
// Bug: the consumer waits for an item while it holds the lock the producer needs.
// EXPECT: kind=deadlock within=50 stack=consume
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static sem_t items;
static int buffer[2];
static int count;
static int sum;

static void* produce(void* unused) {
  for (int i = 1; i <= 2; ++i) {
    pthread_mutex_lock(&guard);
    buffer[count++] = i;
    pthread_mutex_unlock(&guard);
    sem_post(&items);
  }
  return unused;
}

static void* consume(void* unused) {
  for (int i = 1; i <= 2; ++i) {
    pthread_mutex_lock(&guard);
    sem_wait(&items);
    sum += buffer[--count];
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  pthread_t producer;
  pthread_t consumer;
  sem_init(&items, 0, 0);
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  sem_destroy(&items);
  return sum == 3 ? 0 : 1;
}
