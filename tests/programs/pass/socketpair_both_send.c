// SPDX-License-Identifier: Apache-2.0
//
// Two threads send each other more than the sockets hold; one of them receives first.
// SCHEDULES: 100
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kBytes = 1 << 20 };
static int ends[2];

static void send_all(int end) {
  static const char bytes[kBytes];
  assert(write(end, bytes, kBytes) == kBytes);
}

static void receive_all(int end) {
  static _Thread_local char bytes[1 << 16];
  for (long left = kBytes; left > 0;) {
    ssize_t got = read(end, bytes, sizeof bytes);
    assert(got > 0);
    left -= got;
  }
}

static void* peer(void* unused) {
  (void)unused;
  receive_all(ends[1]);
  send_all(ends[1]);
  return NULL;
}

int main(void) {
  pthread_t thread;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_create(&thread, NULL, peer, NULL);
  send_all(ends[0]);
  receive_all(ends[0]);
  pthread_join(thread, NULL);
  return 0;
}
