// SPDX-License-Identifier: Apache-2.0
//
// Looks up the definitions that ours stand in front of. Target side.
#include "runtime/real.h"

#include <string.h>
#include <unistd.h>

#include "runtime/fiber.h"

namespace raddle::runtime {

Dlsym* real_dlsym() {
  static Dlsym* function;
  if (__builtin_expect(function == nullptr, 0))
    function = reinterpret_cast<Dlsym*>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
  return function;
}

void* find_symbol(void* handle, const char* name) {
  borrow_loader_lock();
  void* symbol = real_dlsym()(handle, name);
  return_loader_lock();
  return symbol;
}

void* resolve_real(const char* name) {
  void* function = find_symbol(RTLD_NEXT, name);
  if (function != nullptr) return function;
  static constexpr char kText[] = "raddle: the C library does not define ";
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, kText, sizeof kText - 1);
  written = write(STDERR_FILENO, name, strlen(name));
  written = write(STDERR_FILENO, "\n", 1);
  _exit(70);
}

}  // namespace raddle::runtime
