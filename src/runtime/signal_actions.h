// SPDX-License-Identifier: Apache-2.0
//
// What the program wants to be done with signals, and the doing of it. Target side.
//
// The kernel does not know the program's handlers. For signals that may come from outside it knows
// one of ours, which notes them (signal_queue.h). The exception are the signals of crashes: a
// program's handler for SIGSEGV and its like runs where the fault happened, with the real context,
// whenever the fault is one.
#pragma once

#include <signal.h>

#include "runtime/signal_queue.h"

namespace raddle::runtime {

enum class Disposition : std::uint8_t { ignore, handle, end };

Disposition disposition_of(int number);

// Whether the program has ever set a handler: then it matters whether a wait has begun or not.
bool signals_in_use();
// Whether one that comes from outside would matter.
bool catches_signals();
// Signals whose actions the kernel may have been told of in this run, a bit each.
std::uint64_t touched_signals();

// The program's action, as sigaction(2) reads and writes it.
struct sigaction program_action(int number);
void set_program_action(int number, const struct sigaction& action);

// The program blocks these: should one come from outside, it has to be kept.
void keep_when_blocked(SignalSet set);

// Runs the handler in the current thread; true if interrupted calls are to be restarted. `is_step`:
// the run of the handler is a step of its own.
bool run_handler(const Signal& signal, bool is_step);

// The default action of a signal that nobody handles. pc: the pending op.
[[noreturn]] void end_by_signal(const Signal& signal);

// While another program is started: the kernel's mask is that of the current thread, which the
// other program inherits. Without control it is that anyway.
class InheritedMask {
 public:
  InheritedMask();
  ~InheritedMask();
  InheritedMask(const InheritedMask&) = delete;
  InheritedMask& operator=(const InheritedMask&) = delete;

 private:
  bool controlled_;
  sigset_t before_;
};

// The program's own child is an ordinary process: gives the kernel what we kept from it.
void release_signals();

}  // namespace raddle::runtime
