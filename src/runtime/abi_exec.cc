// SPDX-License-Identifier: Apache-2.0
//
// The program makes room for another one: exec and its variants. Target side. The new program runs
// uncontrolled. From the calling thread it gets the mask of signals, of which the kernel knows
// nothing (signal_queue.h); an action other than SIG_IGN is gone.
#include <alloca.h>
#include <stdarg.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/signal_actions.h"

using namespace raddle::runtime;

namespace {

// Returns only if there is no such program.
template <class Exec>
int exec_with_mask(Exec exec) {
  InheritedMask mask;
  return exec();
}

unsigned count_arguments(const char* first, va_list list) {
  unsigned count = 0;
  for (const char* argument = first; argument != nullptr; argument = va_arg(list, const char*))
    ++count;
  return count;
}

void take_arguments(const char* first, va_list list, const char** arguments) {
  for (const char* argument = first; argument != nullptr; argument = va_arg(list, const char*))
    *arguments++ = argument;
  *arguments = nullptr;
}

}  // namespace

// The arguments of a variant that has them as its own, as an array on the stack of the caller.
#define RADDLE_LISTED_ARGUMENTS(first)                                                     \
  va_list list;                                                                            \
  va_start(list, first);                                                                   \
  unsigned count = count_arguments(first, list);                                           \
  va_end(list);                                                                            \
  auto** arguments = static_cast<const char**>(alloca((count + 1) * sizeof(const char*))); \
  va_start(list, first);                                                                   \
  take_arguments(first, list, arguments)

RADDLE_EXPORT int execve(const char* path, char* const arguments[],
                         char* const variables[]) noexcept {
  return exec_with_mask([&] { return RADDLE_REAL(execve)(path, arguments, variables); });
}

RADDLE_EXPORT int execv(const char* path, char* const arguments[]) noexcept {
  return exec_with_mask([&] { return RADDLE_REAL(execv)(path, arguments); });
}

RADDLE_EXPORT int execvp(const char* file, char* const arguments[]) noexcept {
  return exec_with_mask([&] { return RADDLE_REAL(execvp)(file, arguments); });
}

RADDLE_EXPORT int execvpe(const char* file, char* const arguments[],
                          char* const variables[]) noexcept {
  return exec_with_mask([&] { return RADDLE_REAL(execvpe)(file, arguments, variables); });
}

RADDLE_EXPORT int fexecve(int file, char* const arguments[], char* const variables[]) noexcept {
  return exec_with_mask([&] { return RADDLE_REAL(fexecve)(file, arguments, variables); });
}

RADDLE_EXPORT int execveat(int folder, const char* path, char* const arguments[],
                           char* const variables[], int flags) noexcept {
  return exec_with_mask(
      [&] { return RADDLE_REAL(execveat)(folder, path, arguments, variables, flags); });
}

RADDLE_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  RADDLE_LISTED_ARGUMENTS(first);
  va_end(list);
  return execv(path, const_cast<char* const*>(arguments));
}

RADDLE_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  RADDLE_LISTED_ARGUMENTS(first);
  va_end(list);
  return execvp(file, const_cast<char* const*>(arguments));
}

RADDLE_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  RADDLE_LISTED_ARGUMENTS(first);
  char* const* variables = va_arg(list, char* const*);
  va_end(list);
  return execve(path, const_cast<char* const*>(arguments), variables);
}
