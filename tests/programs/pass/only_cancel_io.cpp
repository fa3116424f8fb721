// SPDX-License-Identifier: Apache-2.0
//
// Cancellation while a thread waits for input, output, a connection, a file lock or a child; what
// was done is done, and cleanup handlers and destructors run.
// SCHEDULES: 50
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cassert>

namespace {

int empty[2], full[2], pair[2], listener, poller, queue;
FILE* stream;
std::atomic<int> cleaned{0}, destroyed{0};
char room[1 << 17];

struct Guard {
  ~Guard() { ++destroyed; }
};

void clean(void*) { ++cleaned; }

using Wait = void (*)();
Wait waits[] = {
    [] { (void)!read(empty[0], room, 1); },
    [] { (void)!write(full[1], room, 1); },
    [] { recv(pair[0], room, 1, 0); },
    [] { recv(pair[0], room, 4, MSG_WAITALL); },
    [] { accept(listener, nullptr, nullptr); },
    [] { select(0, nullptr, nullptr, nullptr, nullptr); },
    [] { poll(nullptr, 0, -1); },
    [] {
      epoll_event event;
      epoll_wait(poller, &event, 1, -1);
    },
    [] { fgetc(stream); },
    [] { pause(); },
    [] { msgrcv(queue, room, 1, 0, 0); },
    [] { (void)!system("exec sleep 1000"); },
};

void* run(void* which) {
  Guard guard;
  pthread_cleanup_push(clean, nullptr);
  (*static_cast<Wait*>(which))();
  pthread_cleanup_pop(0);
  return nullptr;
}

// It ends at the second call, whenever it is cancelled.
void* send_once(void*) {
  if (write(pair[1], "a", 1) == 1) cleaned = 100;
  pause();
  return nullptr;
}

void check_effect() {
  pthread_t thread;
  void* result;
  pthread_create(&thread, nullptr, send_once, nullptr);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  bool sent = recv(pair[0], room, 1, MSG_DONTWAIT) == 1;
  assert(sent == (cleaned == 100));
}

}  // namespace

int main() {
  sockaddr_un name{AF_UNIX, ""};
  assert(pipe(empty) == 0 && pipe(full) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  fcntl(full[1], F_SETFL, O_NONBLOCK);
  while (write(full[1], room, sizeof room) > 0) continue;
  fcntl(full[1], F_SETFL, 0);
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, reinterpret_cast<sockaddr*>(&name), sizeof name.sun_family) == 0);
  assert(listen(listener, 1) == 0);
  poller = epoll_create1(0);
  queue = msgget(IPC_PRIVATE, 0600);
  stream = fdopen(dup(empty[0]), "r");
  int count = 0;
  for (Wait& wait : waits) {
    pthread_t thread;
    void* result;
    pthread_create(&thread, nullptr, run, &wait);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && ++count > 0);
    assert(destroyed <= count && cleaned == destroyed);  // or it was cancelled before it began
  }
  msgctl(queue, IPC_RMID, nullptr);
  assert(ftrylockfile(stream) == 0);  // the lock of a cancelled fgetc is free
  funlockfile(stream);
  check_effect();
}
