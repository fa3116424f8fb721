// SPDX-License-Identifier: Apache-2.0
//
// Sockets order as pipes do: what was done before a connect, a send or a close comes before the
// accept, the receive or the end of input that tells of it.
// SCHEDULES: 50
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;
static int listener, datagrams, ends[2], moved[2], before_connect, before_send, before_batch,
    before_file, before_end, before_fclose, before_splice, before_poll;

static void* client(void* unused) {
  char byte = 'x';
  struct iovec piece = {&byte, 1};
  struct mmsghdr batch = {.msg_hdr = {.msg_iov = &piece, .msg_iovlen = 1}};
  int file = memfd_create("file", 0);
  assert(write(file, "x", 1) == 1 && lseek(file, 0, SEEK_SET) == 0);
  int peer = socket(AF_INET, SOCK_STREAM, 0);
  before_poll = before_connect = 1;
  assert(connect(peer, (struct sockaddr*)&address, sizeof address) == 0);
  before_send = 1;
  assert(send(peer, &byte, 1, 0) == 1);
  before_file = 1;
  assert(sendfile(peer, file, NULL, 1) == 1);
  before_end = 1;
  shutdown(peer, SHUT_WR);
  before_batch = 1;
  int sender = socket(AF_INET, SOCK_DGRAM, 0);
  batch.msg_hdr.msg_name = &address;
  batch.msg_hdr.msg_namelen = sizeof address;
  assert(sendmmsg(sender, &batch, 1, 0) == 1);
  FILE* stream = fdopen(ends[1], "w");
  fputs("x", stream);
  before_fclose = 1;
  fclose(stream);
  close(peer);
  close(sender);
  close(file);
  return unused;
}

static void* mover(void* unused) {
  assert(splice(ends[0], NULL, moved[1], NULL, 1, 0) == 1);
  before_splice = 1;
  char byte;
  assert(read(ends[0], &byte, 1) == 0);
  before_fclose = 2;
  close(moved[1]);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  char byte;
  struct iovec piece = {&byte, 1};
  struct mmsghdr batch = {.msg_hdr = {.msg_iov = &piece, .msg_iovlen = 1}};
  socklen_t length = sizeof address;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  datagrams = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(listener, (struct sockaddr*)&address, length) == 0 && listen(listener, 1) == 0);
  getsockname(listener, (struct sockaddr*)&address, &length);
  if (bind(datagrams, (struct sockaddr*)&address, length) != 0) return 0;  // taken by another
  assert(pipe(ends) == 0 && pipe(moved) == 0);
  pthread_create(&threads[0], NULL, client, NULL);
  pthread_create(&threads[1], NULL, mover, NULL);
  struct pollfd ready = {listener, POLLIN, 0};
  assert(poll(&ready, 1, -1) == 1);
  before_poll = 2;
  int peer = accept(listener, NULL, NULL);
  before_connect = 2;
  assert(recv(peer, &byte, 1, 0) == 1);
  before_send = 2;
  assert(recv(peer, &byte, 1, 0) == 1);
  before_file = 2;
  assert(recv(peer, &byte, 1, 0) == 0);
  before_end = 2;
  assert(recvmmsg(datagrams, &batch, 1, 0, NULL) == 1);
  before_batch = 2;
  assert(read(moved[0], &byte, 1) == 1 && read(moved[0], &byte, 1) == 0);
  before_splice = before_fclose = 3;
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
