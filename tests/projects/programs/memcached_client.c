// SPDX-License-Identifier: Apache-2.0
//
// The main function of the instrumented memcached, whose own is renamed to memcached_main: two
// client threads talk to the server over loopback, in the same process, so that client and server
// are under one schedule. Each client counts an own key and a common one up; what they see at the
// end is asserted. The server then has nothing to do and the run ends by --stop-when-idle.
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int memcached_main(int argc, char** argv);

enum { kClients = 2, kRounds = 2 };

static int port;

static int dial(void) {
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  inet_pton(AF_INET, "127.0.0.1", &server.sin_addr);
  for (;;) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(fd >= 0);
    if (connect(fd, (struct sockaddr*)&server, sizeof server) == 0) return fd;
    close(fd);
    usleep(100000); /* the server is not listening yet */
  }
}

/* Sends a command and reads the answer up to the end mark. */
static void ask(int fd, const char* command, const char* end, char* answer, size_t size) {
  size_t length = strlen(command), used = 0;
  assert(write(fd, command, length) == (ssize_t)length);
  do {
    ssize_t got = read(fd, answer + used, size - 1 - used);
    assert(got > 0);
    used += (size_t)got;
    answer[used] = '\0';
  } while (strstr(answer, end) == NULL);
}

static void* client(void* number) {
  char command[100], answer[200], expected[100];
  int id = (int)(long)number, fd = dial();
  snprintf(command, sizeof command, "set own%d 0 0 1\r\n0\r\n", id);
  ask(fd, command, "\r\n", answer, sizeof answer);
  assert(strcmp(answer, "STORED\r\n") == 0);
  ask(fd, "add common 0 0 1\r\n0\r\n", "\r\n", answer, sizeof answer);
  for (int i = 1; i <= kRounds; ++i) {
    snprintf(command, sizeof command, "incr own%d 1\r\n", id);
    ask(fd, command, "\r\n", answer, sizeof answer);
    assert(atoi(answer) == i);
    ask(fd, "incr common 1\r\n", "\r\n", answer, sizeof answer);
    assert(atoi(answer) >= i && atoi(answer) <= kClients * kRounds);
  }
  snprintf(command, sizeof command, "get own%d\r\n", id);
  snprintf(expected, sizeof expected, "VALUE own%d 0 1\r\n%d\r\nEND\r\n", id, kRounds);
  ask(fd, command, "END\r\n", answer, sizeof answer);
  assert(strcmp(answer, expected) == 0);
  close(fd);
  return NULL;
}

static void* clients(void* unused) {
  char answer[200], expected[100];
  pthread_t threads[kClients];
  (void)unused;
  for (long i = 0; i < kClients; ++i) pthread_create(&threads[i], NULL, client, (void*)i);
  for (int i = 0; i < kClients; ++i) pthread_join(threads[i], NULL);
  int fd = dial();
  ask(fd, "get common\r\n", "END\r\n", answer, sizeof answer);
  snprintf(expected, sizeof expected, "VALUE common 0 1\r\n%d\r\nEND\r\n", kClients * kRounds);
  assert(strcmp(answer, expected) == 0);
  close(fd);
  printf("common %d\n", kClients * kRounds);
  return NULL;
}

/* The first argument is the port, the rest are options of memcached. */
int main(int argc, char** argv) {
  pthread_t thread;
  if (argc < 2 || (port = atoi(argv[1])) <= 0) return 2;
  pthread_create(&thread, NULL, clients, NULL);
  pthread_detach(thread);
  argv[1] = argv[0];
  return memcached_main(argc - 1, argv + 1);
}
