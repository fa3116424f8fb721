// SPDX-License-Identifier: Apache-2.0
//
// clone, and what libc makes of it: daemon, forkpty. Target side. Processes may be made in any way;
// a thread that is made so would be a kernel thread that nobody controls.
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pty.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/at_fork.h"
#include "runtime/child_start.h"
#include "runtime/fatal.h"
#include "runtime/real.h"

using namespace raddle::runtime;

namespace {

constexpr std::uint64_t kSharesMemory = CLONE_VM | CLONE_VFORK;

// The flags for a child with memory of its own.
std::uint64_t flags_for_process(std::uint64_t flags) {
  bool is_thread = (flags & CLONE_THREAD) != 0 || (flags & kSharesMemory) == CLONE_VM;
  if (is_thread)
    refuse(
        "the program makes a thread by clone(2); raddle runs threads that are made by "
        "pthread_create, std::thread or thrd_create");
  return flags & ~kSharesMemory;
}

// `make` returns the child's number, 0 in the child, or -1.
template <class Make>
pid_t make_process(std::uintptr_t pc, Make make) {
  pid_t child = -1;
  auto start = [&] {
    before_fork();
    child = make();
    int error = child < 0 ? errno : 0;
    if (child == 0)
      after_fork_in_child();
    else
      after_fork_in_parent();
    errno = error;
    return error;
  };
  if (running())
    start_child(pc, child, start, true);
  else
    start();
  return child;
}

struct Call {
  int (*function)(void*);
  void* argument;
};

int call_in_child(void* call) {
  after_fork_in_child();
  return static_cast<Call*>(call)->function(static_cast<Call*>(call)->argument);
}

}  // namespace

namespace raddle::runtime {

long clone_by_call(long number, long arguments[], std::uintptr_t pc) {
  long a[6];
  memcpy(a, arguments, sizeof a);
  clone_args with_own_memory{};
  if (number == SYS_clone3) {
    auto size = static_cast<std::size_t>(a[1]);
    if (size > sizeof with_own_memory) size = sizeof with_own_memory;
    memcpy(&with_own_memory, reinterpret_cast<void*>(a[0]), size);
    with_own_memory.flags = flags_for_process(with_own_memory.flags);
    a[0] = reinterpret_cast<long>(&with_own_memory);
    a[1] = static_cast<long>(size);
  } else {
    a[0] = static_cast<long>(flags_for_process(static_cast<std::uint64_t>(a[0])));
  }
  return make_process(pc, [&] {
    return static_cast<pid_t>(RADDLE_REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]));
  });
}

}  // namespace raddle::runtime

RADDLE_EXPORT int clone(int (*function)(void*), void* stack, int flags, void* argument,
                        ...) noexcept {
  va_list list;
  va_start(list, argument);
  void* parent_number = va_arg(list, void*);
  void* tls = va_arg(list, void*);
  void* child_number = va_arg(list, void*);
  va_end(list);
  if (off())
    return RADDLE_REAL(clone)(function, stack, flags, argument, parent_number, tls, child_number);
  auto own = static_cast<int>(flags_for_process(static_cast<unsigned>(flags)));
  Call call{function, argument};
  return make_process(RADDLE_PROGRAM_CALLER, [&] {
    return RADDLE_REAL(clone)(call_in_child, stack, own, &call, parent_number, tls, child_number);
  });
}

// libc's own would leave the process by a way that we do not see.
RADDLE_EXPORT int daemon(int keeps_directory, int keeps_streams) noexcept {
  if (off()) return RADDLE_REAL(daemon)(keeps_directory, keeps_streams);
  pid_t child = fork();
  if (child < 0) return -1;
  if (child > 0) _exit(0);
  if (setsid() < 0) return -1;
  if (keeps_directory == 0 && chdir("/") != 0) return -1;
  if (keeps_streams != 0) return 0;
  int null = RADDLE_REAL(open)("/dev/null", O_RDWR);
  if (null < 0) return -1;
  for (int stream = 0; stream <= STDERR_FILENO; ++stream) dup2(null, stream);
  if (null > STDERR_FILENO) RADDLE_REAL(close)(null);
  return 0;
}

RADDLE_EXPORT int forkpty(int* terminal, char* name, const termios* settings,
                          const winsize* size) noexcept {
  if (!running()) return RADDLE_REAL(forkpty)(terminal, name, settings, size);
  pid_t child = -1;
  start_child(
      RADDLE_PROGRAM_CALLER, child,
      [&] {
        child = RADDLE_REAL(forkpty)(terminal, name, settings, size);
        return child < 0 ? errno : 0;
      },
      true);
  return child;
}
