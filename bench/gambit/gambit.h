// SPDX-License-Identifier: Apache-2.0
//
// What the unit tests of this folder share. Each file is a small data structure or primitive with
// one bug, and a test of it; `template <bool fixed>` makes the twin without the bug. Own program of
// the bench: bench/gambit.py builds all files into one program, and measures how soon each strategy
// finds each bug.
//
// A test may have no other bug than the one that it is about, in no interleaving: what its threads
// share is atomic or locked. It fails in sequentially consistent executions, and in none that has
// no preemption and takes the lowest thread: a first run finds nothing.
#pragma once

#include <raddle/check.h>

#include <thread>
#include <utility>

namespace gambit {

struct Test {
  const char* name;
  const char* kind;  // of the finding
  const char* bug;   // in a few words
  void (*buggy)();
  void (*fixed)();
};

// Joins when it goes out of scope. Not std::jthread, whose stop state would be more steps.
class Thread {
 public:
  Thread() = default;
  template <class Body>
  explicit Thread(Body&& body) : thread_(std::forward<Body>(body)) {}
  ~Thread() {
    if (thread_.joinable()) thread_.join();
  }
  template <class Body>
  void start(Body&& body) {
    thread_ = std::thread(std::forward<Body>(body));
  }
  void join() { thread_.join(); }

 private:
  std::thread thread_;
};

// The list of all. A new test is a file and a line here.
#define GAMBIT_TESTS(X)  \
  X(auto_event)          \
  X(bag)                 \
  X(bakery_lock)         \
  X(barrier_condvar)     \
  X(barrier_spin)        \
  X(blocking_collection) \
  X(bounded_queue)       \
  X(broadcast_ring)      \
  X(handle_table)        \
  X(hazard_pointer)      \
  X(lock_list)           \
  X(lru_cache)           \
  X(manual_event)        \
  X(observer_list)       \
  X(pipeline)            \
  X(polite_locks)        \
  X(port)                \
  X(promise)             \
  X(ref_count)           \
  X(rw_spinlock)         \
  X(rw_upgrade)          \
  X(scatter_gather)      \
  X(semaphore_limit)     \
  X(semaphore_slim)      \
  X(seqlock)             \
  X(snapshot)            \
  X(spin_handover)       \
  X(striped_map)         \
  X(thread_pool)         \
  X(trace_buffer)        \
  X(treiber_stack)       \
  X(work_stealing)

#define GAMBIT_DECLARE(name) extern const Test name;
GAMBIT_TESTS(GAMBIT_DECLARE)
#undef GAMBIT_DECLARE

}  // namespace gambit
