// SPDX-License-Identifier: Apache-2.0
//
// Memory shared by name, by descriptor and of System V.
// FORKED: mapped
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "fresh.h"

namespace {

void look() {
  int memory = memfd_create("look", 0);
  FRESH(memory >= 3 && fcntl(memory + 1, F_GETFD) < 0);
  close(memory);
}
void leave(int order) {
  int memory = memfd_create("left", 0);
  FRESH(ftruncate(memory, 8192) == 0);
  void* place = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  memset(place, order, 8192);
  int segment = shmget(IPC_PRIVATE, 4096, 0600);
  if (segment < 0) return;
  shmat(segment, nullptr, 0);
  shmctl(segment, IPC_RMID, nullptr);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
