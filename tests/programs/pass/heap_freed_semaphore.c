// SPDX-License-Identifier: Apache-2.0
// Fixed: both count as users before either begins.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static sem_t* tickets;
static atomic_int users = 2;

static void* use(void* unused) {
  sem_post(tickets);
  if (atomic_fetch_sub(&users, 1) == 1) free(tickets);
  return unused;
}

int main(void) {
  pthread_t one, two;
  tickets = malloc(sizeof *tickets);
  sem_init(tickets, 0, 0);
  pthread_create(&one, NULL, use, NULL);
  pthread_create(&two, NULL, use, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
