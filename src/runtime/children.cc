// SPDX-License-Identifier: Apache-2.0
//
// See children.h.
#include "runtime/children.h"

#include <string.h>
#include <sys/wait.h>

#include "runtime/fatal.h"
#include "runtime/real.h"

namespace raddle::runtime {

std::uint32_t children_alive;
std::uint32_t forked_children;

namespace {

constexpr std::uint32_t kChildrenMax = 1024;
struct Child {
  pid_t process;
  bool forked;
};
Child children[kChildrenMax];  // oldest first

bool has_ended(pid_t child) {
  siginfo_t info{};
  int failed =
      RADDLE_REAL(waitid)(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  return failed != 0 || info.si_pid != 0;
}

}  // namespace

void note_child(pid_t child, bool forked) {
  if (children_alive == kChildrenMax) refuse("the program has more than 1024 child processes");
  children[children_alive++] = {child, forked};
  forked_children += forked ? 1 : 0;
}

void note_reaped(pid_t child) {
  for (std::uint32_t i = 0; i < children_alive; ++i) {
    if (children[i].process != child) continue;
    forked_children -= children[i].forked ? 1 : 0;
    --children_alive;
    memmove(&children[i], &children[i + 1], (children_alive - i) * sizeof children[0]);
    return;
  }
}

bool any_child_runs() {
  for (std::uint32_t i = 0; i < children_alive; ++i)
    if (!has_ended(children[i].process)) return true;
  return false;
}

void forget_children() { children_alive = forked_children = 0; }

}  // namespace raddle::runtime
