// SPDX-License-Identifier: Apache-2.0
//
// Batch: many runs at once in the process of a unit test, without events; and the functions with
// which the engine, loaded into that process, asks the runtime for runs. They are no part of the
// public API: both libraries come from one build, and the block's version says so.
#pragma once

#include "wire/shared_block.h"

namespace raddle::wire {

enum class BatchEnd : std::uint32_t {
  count,       // all runs were made
  time,        // the deadline came first
  noteworthy,  // the last run has to be made again with events
  failed,      // the last run ended in the block's verdict
  exhausted,   // dfs: there is no further run
};

struct Batch {
  BatchEnd end = BatchEnd::count;
  std::uint64_t seed = 0;          // run i of the campaign has the seed run_seed(seed, i)
  std::uint64_t first = 0;         // i of the first run
  std::uint64_t count = 0;         // at most so many
  std::uint64_t deadline_ns = 0;   // on CLOCK_MONOTONIC; 0: none
  std::uint32_t enumerate = 0;     // the plan is dfs: every run takes the path after the last one
  std::uint32_t ignore_races = 0;  // they are known
  std::uint32_t ignore_limited = 0;
  std::uint32_t ignore_infeasible = 0;  // runs that the event schedule brings to a standstill
  std::uint32_t stop_at_good = 0;       // a run that ends well is noteworthy
  // What came of it.
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  std::uint64_t limited = 0;        // of the runs, cut by max_steps
  std::uint64_t infeasible = 0;     // of the runs, if these are ignored
  std::uint64_t fairness_cuts = 0;  // runs in which fairness narrowed a choice
  std::uint64_t diverged = 0;       // dfs: runs that left their paths, not among `runs`
  std::uint64_t forgetful = 0;      // runs with RunReservation kAccessesLost
  std::uint32_t wide = 0;           // dfs: a choice had more candidates than a record can count
  std::uint32_t longest = 0;        // steps of the longest run
  std::uint32_t threads = 0;        // of the run that had most
};

// An object that the last run initialised and did not destroy.
struct Undestroyed {
  enum class Kind : std::uint32_t { lock, condvar, semaphore, barrier };
  SiteId site;  // where it was initialised
  Kind kind;
};

// The body of a test.
struct Body {
  void (*function)(void*);
  void* argument;
};

}  // namespace raddle::wire

extern "C" {
// Makes the runtime ready to run tests that are recorded in this block, until it is detached. Null,
// or why it cannot be.
const char* raddle_in_process_attach(raddle::wire::SharedHeader* shared);
void raddle_in_process_detach();
// One run of the block's plan, with events.
void raddle_in_process_run(const raddle::wire::Body* body);
void raddle_in_process_batch(raddle::wire::Batch* batch, const raddle::wire::Body* body);
// What the last run of either left behind; at most `max` rows, whose number is returned.
std::uint32_t raddle_in_process_undestroyed(raddle::wire::Undestroyed* rows, std::uint32_t max);
// Called in a fork of the process: serves as any fork server does. Never returns.
void raddle_in_process_serve(int commands, int replies, const raddle::wire::Body* body);
}
