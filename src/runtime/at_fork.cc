// SPDX-License-Identifier: Apache-2.0
//
// See at_fork.h. libc calls who has registered first last before a fork, and first after it: so
// nothing of the program runs between these functions, and no other thread.
#include "runtime/at_fork.h"

#include <signal.h>

#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/start.h"

// What pthread_atfork calls, which lies in no shared library.
extern "C" int __register_atfork(void (*before)(), void (*in_parent)(), void (*in_child)(),
                                 void* library);

namespace raddle::runtime {
namespace {

sigset_t mask_before;

}  // namespace

void before_fork() {
  if (off()) return;
  sigset_t all;
  sigfillset(&all);
  RADDLE_REAL(sigprocmask)(SIG_SETMASK, &all, &mask_before);
}

void after_fork_in_parent() {
  if (!off()) RADDLE_REAL(sigprocmask)(SIG_SETMASK, &mask_before, nullptr);
}

void after_fork_in_child() {
  if (!off()) release_control();
}

void watch_forks() {
  __register_atfork(before_fork, after_fork_in_parent, after_fork_in_child, nullptr);
}

}  // namespace raddle::runtime
