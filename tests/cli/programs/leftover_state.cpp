// SPDX-License-Identifier: Apache-2.0
//
// Every run finds everything as a fresh process does, and leaves nothing as it was. Returns the
// number of the first thing that an earlier run has left behind.
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

int counter;
thread_local int own = 7;
std::string word = "fresh";
std::vector<int> numbers;
std::mutex lock;
char large[1 << 20];
int ends;
volatile sig_atomic_t caught;

int& local_static() {
  static int value = [] { return counter + 1; }();
  return value;
}

void on_signal(int) { ++caught; }

int check(int number, bool fine) {
  if (!fine) {
    fprintf(stderr, "left behind: %d\n", number);
    _exit(number);
  }
  return number + 1;
}

int look() {
  int next = check(10, counter == 0 && own == 7 && word == "fresh" && numbers.empty());
  next = check(next, local_static() == 1 && ends == 0 && caught == 0);
  for (char each : large)
    if (each != 0) check(next, false);
  next = check(next + 1, access("leftover_state.cpp", F_OK) == 0);  // the directory has it
  next = check(next, getenv("LEFT_BEHIND") == nullptr);
  mode_t mask = umask(022);
  next = check(next, mask == 022);
  struct sigaction action {};
  sigaction(SIGUSR1, nullptr, &action);
  next = check(next, action.sa_handler == SIG_DFL);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  next = check(next, sigismember(&blocked, SIGUSR2) == 0);
  int file = open("/dev/null", O_RDONLY);
  next = check(next, file >= 3 && fcntl(file + 1, F_GETFD) < 0);
  close(file);
  next = check(next, fegetround() == FE_TONEAREST);
  next = check(next, lock.try_lock());
  lock.unlock();
  char* block = static_cast<char*>(malloc(300'000));
  for (int i = 0; i < 300'000; i += 4096) next = block[i] == 0 ? next : check(next, false);
  memset(block, 1, 300'000);
  free(block);
  return next;
}

void leave() {
  counter = own = 99;
  word = std::string(1000, 'x');
  numbers.assign(100'000, 5);
  local_static() = 5;
  memset(large, 1, sizeof large);
  [[maybe_unused]] int moved = chdir("/");
  setenv("LEFT_BEHIND", "yes", 1);
  umask(077);
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
  sigset_t more;
  sigemptyset(&more);
  sigaddset(&more, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &more, nullptr);
  for (int i = 0; i < 5; ++i) {
    [[maybe_unused]] int file = open("/dev/null", O_RDONLY);
  }
  close(4);
  close(STDIN_FILENO);
  fesetround(FE_UPWARD);
  atexit([] { ++ends; });
  errno = 5;
}

}  // namespace

int main(int argc, char** argv) {
  look();
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  pthread_t stuck;
  pthread_create(
      &stuck, &small,
      [](void*) -> void* {
        std::lock_guard hold(lock);
        ++counter;
        return nullptr;
      },
      nullptr);
  {
    std::lock_guard hold(lock);
    printf("%d\n", counter);
  }
  pthread_join(stuck, nullptr);
  leave();
  std::string how = argc > 1 ? argv[1] : "return";
  if (how == "exit") exit(0);
  if (how == "_exit") _exit(0);
  if (how == "quick_exit") quick_exit(0);
  if (how == "abort") abort();
  if (how == "crash") *static_cast<volatile int*>(nullptr) = 1;
  if (how == "throw") throw std::runtime_error("left");
  if (how == "thread_exit") pthread_exit(nullptr);
  if (how == "code") return 3;
  if (how == "deadlock") {
    lock.lock();
    lock.lock();
  }
  return 0;
}
