// SPDX-License-Identifier: Apache-2.0
//
// Timers of the program in virtual time: alarm, setitimer, timer_create. Target side.
//
// A timer that is set is a thread of its own, called "alarm" or "timer", which sleeps until the
// time has come and then sends its signal, or starts the thread that the program wants to be told
// by. So it needs no rules of its own: it fires when a sleeping thread would wake, its signal races
// with the other threads as the schedule wants, and interleavings show it in a column. It ends with
// the timer. To the program it is no thread: the process ends without it.
#pragma once

#include "runtime/signal_queue.h"

namespace raddle::runtime {

enum class Notice : std::uint8_t { none, signal, thread };

struct ProgramTimer {
  const char* name;
  bool in_use;
  clockid_t clock;   // of timer_create
  bool on_cpu_time;  // it stands still while no thread can run
  Notice notice;
  Signal signal;         // of Notice::signal; as a thread's argument its value
  ThreadId to;           // who gets the signal; kNoThread: the process
  void (*call)(sigval);  // of Notice::thread
  std::size_t stack_size;

  Fiber* fiber;               // null: not set, or nobody is told
  std::uint64_t deadline_ns;  // 0: not set
  std::uint64_t interval_ns;  // 0: fires once
  std::uint32_t overruns;     // how often it has fired since what the last notice stands for
};

// `deadline_ns`: virtual time; 0 switches the timer off. False if there are too many threads.
bool set_timer(ProgramTimer& timer, std::uint64_t deadline_ns, std::uint64_t interval_ns);
// Until it fires next; 0 if it is not set.
std::uint64_t time_left(const ProgramTimer& timer);

// The three of setitimer, by its constants.
ProgramTimer& interval_timer(int which);

// Those of timer_create, by number. Null: there are too many; there is none.
ProgramTimer* new_timer(unsigned* number);
ProgramTimer* timer_with(unsigned number);

// No thread could run for so long, and who waits for time on the processor waits that much longer.
void hold_cpu_timers(std::uint64_t ns);

// The body of a unit test has returned: none is set any more.
void switch_off_timers();
// A new run begins, where runs are repeated in one process.
void reset_timers();

}  // namespace raddle::runtime
