// SPDX-License-Identifier: Apache-2.0
// Fixed: it is received under the lock.
// SCHEDULES: 500
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

static int ends[2];
static char buffer[16] = "hello";
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void* receive(void* unused) {
  pthread_mutex_lock(&guard);
  assert(recv(ends[0], buffer, sizeof buffer, 0) == 6);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* look(void* unused) {
  pthread_mutex_lock(&guard);
  assert(strcmp(buffer, "hello") == 0 || strcmp(buffer, "world") == 0);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t one, two;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(send(ends[1], "world", 6, 0) == 6);
  pthread_create(&one, NULL, receive, NULL);
  pthread_create(&two, NULL, look, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
