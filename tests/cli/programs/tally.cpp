// SPDX-License-Identifier: Apache-2.0
// Every run adds a character to the file that the argument names, then computes for a while.
#include <fcntl.h>
#include <unistd.h>

#include <thread>

static volatile unsigned long sum;

static void compute() {
  unsigned long mixed = 1;
  for (long i = 0; i < 100'000'000; ++i) mixed = mixed * 6364136223846793005ul + 1;
  sum = mixed;
}

int main(int, char** argv) {
  int file = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (write(file, "x", 1) != 1) return 1;
  close(file);
  std::thread worker(compute);
  worker.join();
}
