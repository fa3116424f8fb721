// SPDX-License-Identifier: Apache-2.0
//
// The moment of a fork. Target side. The program's own child is an ordinary process with one
// thread: from its first instruction on, before any handler of the program (pthread_atfork), it is
// not under control. Signals that come for it wait until it is ready for them, so that what ends it
// is never taken for the end of the run.
#pragma once

#include <cstdint>

namespace raddle::runtime {

// Requires: before the program's own code, which may want to be called at forks too.
void watch_forks();

// What libc calls around a fork, for whoever makes a process in another way.
void before_fork();
void after_fork_in_parent();
void after_fork_in_child();

// syscall(2) of clone or clone3, which return in a process that is not under control; in
// abi_clone.cc. The child has a copy of the memory even if it asks for the memory itself, as
// children of vfork have. Those that ask to be threads are refused.
long clone_by_call(long number, long arguments[], std::uintptr_t pc);

}  // namespace raddle::runtime
