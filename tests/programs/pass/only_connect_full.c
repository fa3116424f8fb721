// SPDX-License-Identifier: Apache-2.0
// connect on a socket whose queue is full waits for accept: it stops its own thread only.
// SCHEDULES: 50
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un name = {.sun_family = AF_UNIX};
static socklen_t length;

static void* client(void* unused) {
  int end = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(end, (struct sockaddr*)&name, length) == 0);
  assert(write(end, "x", 1) == 1);
  close(end);
  return unused;
}

int main(void) {
  pthread_t clients[4];
  int server = socket(AF_UNIX, SOCK_STREAM, 0), sum = 0;
  length = sizeof(sa_family_t);  // the kernel chooses a name that nobody else has
  assert(bind(server, (struct sockaddr*)&name, length) == 0);
  length = sizeof name;
  assert(getsockname(server, (struct sockaddr*)&name, &length) == 0);
  assert(listen(server, 0) == 0);
  for (int i = 0; i < 4; ++i) pthread_create(&clients[i], NULL, client, NULL);
  for (int i = 0; i < 4; ++i) {
    char byte = 0;
    int end = accept(server, NULL, NULL);
    assert(read(end, &byte, 1) == 1);
    sum += byte == 'x';
    close(end);
  }
  for (int i = 0; i < 4; ++i) pthread_join(clients[i], NULL);
  close(server);
  return sum == 4 ? 0 : 1;
}
