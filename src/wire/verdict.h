// SPDX-License-Identifier: Apache-2.0
//
// Verdict: how a run ended, and what every thread was doing then. Target to engine. Written once,
// by whoever ends the run, possibly from a signal handler: plain data of fixed size.
#pragma once

#include "wire/op.h"

namespace raddle::wire {

enum class VerdictKind : std::uint8_t {
  none,  // still running, or ended by exit or by a signal we did not see: the wait status tells
  assertion,
  crash,
  stack_overflow,
  exception,
  deadlock,
  hang,
  limit,        // cut by max_steps
  divergence,   // the run could not be steered as planned
  unsupported,  // something raddle cannot control; message says what
  exited,       // the program ended by exit; code holds its status
  use_after_free,
  double_free,         // or a free of what is no block
  heap_overflow,       // or an underflow
  sync_misuse,         // message is a clause about the thread; {} stands for `where`, {site}
                       // for its first frame, which is an operation of the thread `code` on it
  leaked_thread,       // message is the sentence; code: the thread of a test, created at the site
                       // fault_address
  idle,                // ended by plan.stop_when_idle: every thread waited for the outside
  schedule_deadlock,   // nobody can go on, some because of the event schedule; message says why
  schedule_violation,  // an event came although the schedule does not admit it; message says which
  blocked,             // everybody who could run is asleep: other runs show what this one would
};

// paused: kept back by the event schedule.
enum class ThreadState : std::uint8_t { running, runnable, blocked, sleeping, finished, paused };

struct HeldLock {
  Location where;
  SiteId site;  // where it was acquired
  OpKind kind;  // mutex_lock, rwlock_read, rwlock_write
};

inline constexpr unsigned kFramesMax = 64;
inline constexpr unsigned kHeldMax = 16;
inline constexpr unsigned kThreadNameMax = 32;
inline constexpr unsigned kEventShownMax = 64;

// Frames are return addresses as sites, innermost first: resolve site - 1.
struct ThreadReport {
  ThreadId id;
  ThreadId waits_for;  // the thread that holds what this one waits for, or kNoThread
  ThreadState state;
  OpKind op;  // pending or last operation
  std::uint8_t held_count;
  std::uint8_t in_cycle;  // part of the deadlock's cycle
  Location where;
  std::uint32_t frame_count;
  char name[kThreadNameMax];
  char event[kEventShownMax];  // that it is at, paused or not; else ""
  HeldLock held[kHeldMax];
  SiteId frames[kFramesMax];
};

inline constexpr unsigned kMessageMax = 1024;

struct Verdict {
  VerdictKind kind;
  ThreadId thread;    // who ended it
  std::int32_t code;  // signal number, exit status, the thread that a test has leaked
  StepIndex step;
  std::uint64_t fault_address;
  std::uint32_t thread_report_count;
  std::uint32_t diverged_choice;  // divergence: index of the row of the steering
  // Heap errors and misuse: what was touched. Offsets before a block are negative as 32-bit
  // numbers.
  Location where;
  std::uint64_t block_size;  // 0: unknown
  std::uint32_t access_size;
  std::uint8_t is_write;
  std::uint8_t is_stack;  // the memory was the stack of a thread that has ended
  std::uint16_t reserved;
  char message[kMessageMax];
};

}  // namespace raddle::wire
