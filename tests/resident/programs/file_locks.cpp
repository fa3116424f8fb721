// SPDX-License-Identifier: Apache-2.0
//
// Locks on a file are given up with the process that holds them.
#include <fcntl.h>
#include <sys/file.h>

#include "fresh.h"

namespace {

int file;
void look() {
  file = open("file_locks", O_RDWR);
  if (file < 0) file = open("file_locks", O_RDONLY);
  FRESH(flock(file, LOCK_SH | LOCK_NB) == 0);
  flock(file, LOCK_UN);
  int other = open("file_locks.lock", O_RDWR | O_CREAT, 0644);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  FRESH(fcntl(other, F_SETLK, &whole) == 0);
  FRESH(flock(other, LOCK_EX | LOCK_NB) == 0);
}
void leave(int order) {
  if (order == 12) flock(file, LOCK_EX | LOCK_NB);
  int other = open("file_locks.lock", O_RDWR);
  struct flock part {};
  part.l_type = F_WRLCK;
  part.l_start = order;
  part.l_len = 5;
  fcntl(other, F_OFD_SETLK, &part);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
