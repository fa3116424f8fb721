// SPDX-License-Identifier: Apache-2.0
//
// Signals of the program, modelled: who has which pending, who blocks which, who gets one that is
// sent to the process. Target side.
//
// A handler never runs inside the scheduler. A signal for a thread that does not block it makes the
// thread runnable, whatever it waits for; when it is chosen it runs the handler and then takes up
// what it was doing (controller.cc). Of threads that could take a signal sent to the process, the
// one with the lowest id gets it. So for signals that the program sends itself everything is
// determined by the schedule. Signals from other processes are caught by a real handler that only
// notes them; they count as sent at the next point.
#pragma once

#include <signal.h>

#include "runtime/runtime.h"

namespace raddle::runtime {

// Bit n - 1 stands for signal n, as in the kernel.
using SignalSet = std::uint64_t;
inline constexpr int kSignalsMax = 64;

constexpr SignalSet signal_bit(int number) { return SignalSet{1} << (number - 1); }
constexpr bool is_signal(int number) { return number >= 1 && number <= kSignalsMax; }

SignalSet to_signal_set(const sigset_t& set);
sigset_t to_sigset(SignalSet set);

// One signal on its way: what a handler's siginfo says. No default values, since large tables of it
// must need no constructor.
struct Signal {
  int number;
  int code;
  pid_t pid;
  uid_t uid;
  sigval value;
};

// What SIGKILL and SIGSTOP are to the kernel: cannot be blocked.
inline constexpr SignalSet kNeverBlocked = signal_bit(SIGKILL) | signal_bit(SIGSTOP);

SignalSet signal_mask(const Fiber& fiber);
// Does not deliver what became unblocked; deliver_signals() does.
void set_signal_mask(Fiber& fiber, SignalSet mask);
// A new thread blocks what its creator blocks.
void inherit_signal_mask(const Fiber& creator, Fiber& created);

// Pending for the thread or the process, blocked or not.
SignalSet pending_signals(const Fiber& fiber);
// Takes the lowest-numbered pending signal of the set; false if there is none.
bool take_pending(Fiber& fiber, SignalSet set, Signal* signal);
// The one of a timer (SI_TIMER) that is still pending for the thread, or for the process and who
// takes its signals (null); null if there is none.
Signal* pending_of_timer(const Fiber* target, const Signal& signal);
// A signal that is ignored from now on is no longer pending.
void discard_pending(int number);
// The thread ends.
void forget_signals(Fiber& fiber);

// Sends a signal to one thread, or to the process (null). The current thread's own signals are only
// queued: call deliver_signals(). Ends the run if nobody handles it and its default action does.
void post_signal(Fiber* target, const Signal& signal);

// Writes the signal to the program's signalfd for it; false if there is none. In abi_signalfd.cc.
bool give_to_descriptor(const Signal& signal);

// The current thread waits for one of `set`: senders hand it over instead of queueing it.
void begin_signal_wait(SignalSet set);
// What was handed over, if anything (number 0: nothing).
Signal end_signal_wait();

struct Delivery {
  unsigned count = 0;
  bool restart = true;  // all handlers ask for interrupted calls to be restarted
};
// Runs the handlers of all signals that are pending for the current thread and not blocked.
Delivery deliver_signals();

// Notes a signal from outside; async-signal-safe.
void note_outside_signal(const Signal& signal);
void take_outside_signals();

// A handler runs: the mask to go back to, and where its caller's frame lies.
void enter_handler(std::uintptr_t frame, SignalSet blocked_inside);
// Requires: called with the value that was current before enter_handler.
void leave_handler(unsigned depth);
unsigned handler_depth();
// Handlers whose caller's frame lies below `frame` were left by longjmp.
void leave_handlers_below(std::uintptr_t frame);

// A new run begins, where runs are repeated in one process: nothing is pending, nothing is blocked.
void reset_signals();

}  // namespace raddle::runtime
