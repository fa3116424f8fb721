// SPDX-License-Identifier: Apache-2.0
//
// Ways to end a run. Target side. Each writes the verdict and the reports of all threads into
// shared memory and leaves with _exit(2): usable from signal handlers and with a broken heap.
#pragma once

#include <signal.h>

#include "wire/verdict.h"

namespace raddle::runtime {

// The program cannot be controlled: before a run the whole program is refused, inside a run the run
// ends with the verdict `unsupported`.
[[noreturn]] void refuse(const char* reason);

// Before a run: it cannot be made as it is planned, and that is its verdict. Returns in place only.
void refuse_plan(const char* reason);

struct Ending {
  wire::VerdictKind kind;
  std::int32_t code = 0;
  std::uint64_t fault_address = 0;
  std::uintptr_t pc = 0;             // innermost frame of the current thread, 0: its pending op
  std::uintptr_t stack_pointer = 0;  // at pc; 0: that of the caller
  std::uint32_t depth = 0;           // frames of the current thread then; 0: those it has now
  const char* message = "";
};

// The status with which a process leaves after writing its verdict; the engine looks at the
// verdict.
inline constexpr int kEndedByVerdict = 77;

[[noreturn]] void end_run(const Ending& ending);

// Writes verdict and reports without leaving; the first call wins, except that a plain exit gives
// way to anything that happens on the way out.
void write_verdict(const Ending& ending);

// Forgets the verdict of the run before, where runs are repeated in one process.
void begin_verdict();

// Appends to the verdict's message. Requires: before end_run.
void say(const char* text);

// Marks a thread as part of the cycle of the deadlock that is about to be reported.
void mark_in_cycle(ThreadId thread);

// Catches crash signals and the watchdog's signal, on a stack of their own. Signals that the
// program has a handler for stay with it.
void install_signal_handlers();
// The same for a while, with another handler. Requires: the program has not set handlers under
// control.
using SignalHandler = void(int, siginfo_t*, void*);
inline constexpr unsigned kHandlersInstalled = 8;
struct PreviousHandlers {
  stack_t stack;
  struct sigaction actions[kHandlersInstalled];
};
void install_signal_handlers(SignalHandler* handler, PreviousHandlers* previous);
void restore_signal_handlers(const PreviousHandlers& previous);
// Signals that faults of the program cause.
bool is_crash_signal(int number);

// The handler of them: ends the run.
[[noreturn]] void report_crash(int signal, siginfo_t* info, void* context);

// Whether the program has a handler for a crash signal; in signal_actions.cc.
bool program_handles_crash(int number);

}  // namespace raddle::runtime
