// SPDX-License-Identifier: Apache-2.0
//
// See stack_limit.h.
#include "launch/stack_limit.h"

#include <fmt/core.h>
#include <sys/resource.h>

namespace raddle::launch {
namespace {

constexpr rlim_t kMegabytes = 256;

rlimit current_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  return limit;
}

}  // namespace

std::string stack_limit_note() {
  if (current_limit().rlim_cur != RLIM_INFINITY) return "";
  return fmt::format("the stack is unlimited (ulimit -s); the program runs with {} MB", kMegabytes);
}

void limit_stack() {
  rlimit limit = current_limit();
  if (limit.rlim_cur != RLIM_INFINITY) return;
  limit.rlim_cur = kMegabytes << 20;
  setrlimit(RLIMIT_STACK, &limit);
}

}  // namespace raddle::launch
