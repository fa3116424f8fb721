// SPDX-License-Identifier: Apache-2.0
// Three threads and a handful of points, optionally with a heap of the given size in MB. With
// --bare N it measures its own floor instead: N times fork, exit(0) and wait, in this very image.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex gate;
static int total;
static std::vector<char>* heap;

// Before main, so that the fork server has it too.
static struct Setup {
  Setup() {
    const char* megabytes = getenv("TINY_HEAP_MB");
    if (megabytes == nullptr) return;
    heap = new std::vector<char>(static_cast<size_t>(atoi(megabytes)) << 20, 1);
  }
} setup;

static void work() {
  std::lock_guard<std::mutex> hold(gate);
  ++total;
}

static int measure_floor(int rounds) {
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    pid_t child = fork();
    if (child == 0) exit(0);
    int status = 0;
    waitpid(child, &status, 0);
  }
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  printf("%.1f\n", rounds / spent.count());
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "--bare") == 0) return measure_floor(atoi(argv[2]));
  std::thread first(work), second(work), third(work);
  first.join();
  second.join();
  third.join();
  return total == 3 ? 0 : 1;
}
