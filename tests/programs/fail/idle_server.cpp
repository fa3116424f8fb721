// SPDX-License-Identifier: Apache-2.0
//
// A server that never ends counts its requests in two threads without a lock. --stop-when-idle ends
// a run when it waits for the next client.
// TEST: --stop-when-idle
// UNCONTROLLED: skip
// EXPECT: kind=assertion within=300 function=main
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

static int listener;
static std::atomic<int> requests{0};

static void serve() {
  for (;;) {
    int connection = accept(listener, nullptr, nullptr);
    char request;
    assert(read(connection, &request, 1) == 1);
    int before = requests;
    requests = before + 1;
    assert(write(connection, "k", 1) == 1);
    close(connection);
  }
}

static void ask(sockaddr_in address) {
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  char answer;
  assert(connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  assert(write(connection, "r", 1) == 1);
  assert(read(connection, &answer, 1) == 1);
  close(connection);
}

int main() {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  assert(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  assert(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  assert(listen(listener, 8) == 0);
  std::thread server_1(serve), server_2(serve);
  std::thread client_1(ask, address), client_2(ask, address);
  client_1.join();
  client_2.join();
  assert(requests == 2);
  server_1.join();
  server_2.join();
}
