// SPDX-License-Identifier: Apache-2.0
//
// See kernel_look.h.
#include "light/kernel_look.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace raddle::light {

namespace {

// The length of what was read; 0 if it cannot be.
std::size_t read_task_file(pid_t tid, const char* file, char* text, std::size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/%s", static_cast<int>(tid), file);
  text[0] = 0;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const ssize_t length = read(descriptor, text, size - 1);
  close(descriptor);
  text[length > 0 ? length : 0] = 0;
  return length > 0 ? static_cast<std::size_t>(length) : 0;
}

bool is_asleep(pid_t tid) {
  char text[512];
  const std::size_t length = read_task_file(tid, "stat", text, sizeof text);
  const auto* parenthesis = static_cast<const char*>(memrchr(text, ')', length));
  if (parenthesis == nullptr || parenthesis + 2 >= text + length) return false;
  return parenthesis[2] == 'S' || parenthesis[2] == 'D';
}

std::uint64_t hash(std::uint64_t value, const char* text) {
  for (; *text != 0; ++text)
    value = (value ^ static_cast<unsigned char>(*text)) * 0x100000001b3;  // FNV-1a
  return value;
}

// poll() and select() without descriptors are sleeps.
bool waits_for_time(long call, const std::uintptr_t* arguments) {
  switch (call) {
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
      return true;
    case SYS_poll:
    case SYS_ppoll:
      return arguments[1] == 0;
    case SYS_select:
    case SYS_pselect6:
      return arguments[0] == 0;
    default:
      return false;
  }
}

}  // namespace

// The file `syscall` says "running", or the number of the call and its arguments in hexadecimal. A
// thread that is being woken by another processor still looks asleep there; `stat`, read after it,
// has the state behind the name in parentheses and knows better. By then the thread may have gone
// on and sleep elsewhere: `schedstat` counts how often it has run.
Look look_at(pid_t tid) {
  const int saved_errno = errno;
  Look look;
  char text[256];
  char slices[96];
  char slices_after[96];
  read_task_file(tid, "schedstat", slices, sizeof slices);
  const bool is_in_call = read_task_file(tid, "syscall", text, sizeof text) > 0 && text[0] >= '0' &&
                          text[0] <= '9' && is_asleep(tid);
  read_task_file(tid, "schedstat", slices_after, sizeof slices_after);
  if (is_in_call && strcmp(slices, slices_after) == 0) {
    char* at = nullptr;
    const long call = strtol(text, &at, 10);
    std::uintptr_t arguments[6];
    for (auto& argument : arguments) argument = strtoull(at, &at, 16);
    look.asleep = true;
    look.on_time = waits_for_time(call, arguments);
    if (call == SYS_futex) look.futex = arguments[0];
    look.signature = hash(hash(0xcbf29ce484222325, text), slices);
  }
  errno = saved_errno;
  return look;
}

}  // namespace raddle::light
