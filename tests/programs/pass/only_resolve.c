// SPDX-License-Identifier: Apache-2.0
// Names are looked up inside libc, with its own locks and files: two threads at once get the same
// answers as one, and a third goes on meanwhile.
// SCHEDULES: 30
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int turns;

static int look_up(const char* host, int flags) {
  struct addrinfo* found = NULL;
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = flags};
  const int error = getaddrinfo(host, "80", &hints, &found);
  if (error == 0) {
    const struct sockaddr_in* address = (const struct sockaddr_in*)found->ai_addr;
    assert(found->ai_family == AF_INET && address->sin_port == htons(80));
    freeaddrinfo(found);
  }
  return error;
}

static int local;

static void* resolve(void* unused) {
  assert(look_up("127.0.0.1", AI_NUMERICHOST) == 0);
  assert(look_up("no.address", AI_NUMERICHOST) == EAI_NONAME);
  assert(look_up("localhost", 0) == local);
  return unused;
}

static void* turn(void* unused) {
  for (int i = 0; i < 5; ++i) atomic_fetch_add(&turns, 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  local = look_up("localhost", 0);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, i < 2 ? resolve : turn, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return turns == 5 ? 0 : 1;
}
