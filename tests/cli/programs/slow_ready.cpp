// SPDX-License-Identifier: Apache-2.0
// Gets ready for twenty milliseconds of real time before it starts its threads. The file `starts`
// gets a byte for every time this happened: by instructions of its own, so that raddle cannot know.
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <mutex>
#include <thread>

namespace {

std::mutex lock;
int order = 1;

long call(long number, long a, long b, long c, long d) {
  long result;
  register long fourth __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                   : "rcx", "r11", "memory");
  return result;
}

void mark_start() {
  long name = reinterpret_cast<long>("starts");
  long file = call(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND, 0644);
  call(SYS_write, file, name, 1, 0);
  call(SYS_close, file, 0, 0, 0);
}

double real_ms() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void take_turns(int number) {
  for (int i = 0; i < 3; ++i) {
    std::lock_guard guard(lock);
    order = order * 3 + number;
  }
}

}  // namespace

int main() {
  mark_start();
  for (double end = real_ms() + 20; real_ms() < end;) {
  }
  std::thread one(take_turns, 1);
  std::thread two(take_turns, 2);
  one.join();
  two.join();
  return order == 0;
}
