// SPDX-License-Identifier: Apache-2.0
//
// Memory that only the kernel writes: what calls read, receive and fill in.
#include <fcntl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "fresh.h"

namespace {

alignas(4096) char room[8][4096 * 4];
void look() {
  for (auto& part : room)
    for (char each : part) FRESH(each == 0);
}
void leave(int order) {
  int file = open("/proc/self/exe", O_RDONLY);
  FRESH(read(file, room[0], sizeof room[0]) > 0);
  FRESH(pread(file, room[1], order * 100, 64) > 0);
  iovec parts[2] = {{room[2], 10}, {room[2] + 9000, 4000}};
  FRESH(readv(file, parts, 2) > 0);
  FRESH(getrandom(room[3] + order * 200, 100, 0) == 100);
  int pair[2];
  socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
  FRESH(send(pair[0], "words", 5, 0) == 5);
  FRESH(recv(pair[1], room[4] + order * 300, 100, 0) == 5);
  FRESH(fstat(file, reinterpret_cast<struct stat*>(room[5] + 4096)) == 0);
  FRESH(getcwd(room[6] + order * 400, 4000) != nullptr);
  FRESH(readlink("/proc/self/exe", room[7] + 8192, 4000) > 0);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
