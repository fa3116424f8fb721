// SPDX-License-Identifier: Apache-2.0
//
// The beginning of a run. Target side.
#pragma once

#include <cstdint>

#include "policy/policy.h"

namespace raddle::runtime {

// Becomes the fork server and returns in the child that carries out a run, or begins the single
// run. Does nothing when a run is already going on.
void enter_run();

// Everything that is made once in a process under control, and the first thread's fiber.
void init_runtime();

// Forks for every command and returns in the child that is to carry out a run; the server itself
// never returns.
void serve(int commands, int replies);

// The steps into a run, in this order: the sites of the plan, where it is recorded, its policy;
// then, for every run of the plan, its beginning. False, in place only: the plan cannot be carried
// out, and that is the verdict.
void update_sites();
void open_recorder();
bool prepare_runs();
void begin_run();
// Why the plan cannot be carried out, as prepare_runs() would find; nullptr if it can.
const char* objection_to_plan();

// The plan as policies see it; `locate` names addresses.
using Locate = wire::Location(std::uintptr_t address);
policy::PlanView plan_view(Locate* locate);
// The policy made by prepare_runs() begins.
void begin_policy_of_plan(Locate* locate);

// What earlier calls have left below the current thread's frames is zero from now on. How a run
// came to be (from a fork, from a checkpoint, after another one) would show there: the first write
// to a variable tells what was in its place.
void clear_dead_stack();

// Whether the descriptor was open when the program started: whoever started raddle left it.
bool was_inherited(int file);

// Why the policy could not go on as the plan says, and at which row of its steering.
const char* divergence_reason(std::uint32_t* choice);

// Look up what is libc's, so that no run has to: exit(), setjmp(), what ends a thread.
void find_exit();
void find_setjmp();
void find_thread_end();

// Ends the program; `pc` is who asked for it.
[[noreturn]] void exit_from(int status, std::uintptr_t pc);

// From now on this process is an ordinary one (the program's own child after fork).
void release_control();

// Runs the program's main so that pthread_exit from it works; in abi_thread.cc.
int run_main(int (*main)(int, char**, char**), int argc, char** argv, char** envp);

}  // namespace raddle::runtime
