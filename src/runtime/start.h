// SPDX-License-Identifier: Apache-2.0
//
// The beginning of a run. Target side.
#pragma once

#include <cstdint>

namespace raddle::runtime {

// Becomes the fork server and returns in the child that carries out a run, or begins the single
// run. Does nothing when a run is already going on.
void enter_run();

// Why the replay policy could not go on, and at which choice of its schedule.
const char* divergence_reason(std::uint32_t* choice);

// Looks up libc's exit(), so that no run has to.
void find_exit();

// Ends the program; `pc` is who asked for it.
[[noreturn]] void exit_from(int status, std::uintptr_t pc);

// From now on this process is an ordinary one (the program's own child after fork).
void release_control();

// Runs the program's main so that pthread_exit from it works; in abi_thread.cc.
int run_main(int (*main)(int, char**, char**), int argc, char** argv, char** envp);

}  // namespace raddle::runtime
