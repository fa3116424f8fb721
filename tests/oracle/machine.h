// SPDX-License-Identifier: Apache-2.0
//
// The abstract machine of small programs: one state, the steps that are possible in it, and what a
// step does, under sequential consistency. Every thread and object carries the vector clocks of
// happens-before (release sequences, fences, the edges of POSIX objects), so that each step also
// says with which earlier accesses it races. Tests only.
//
// Where the standards differ or leave room, it has the edges that src/runtime/order.h promises: a
// release sequence goes on with relaxed stores of the thread that began it, as in C++17, and a
// notification orders.
//
// Return from main, exit and quick_exit are steps that begin the end of the process: the handlers
// run in the thread that made the step, the others go on as far as they can, and a second such step
// is never possible. A use of the heap block after it was freed ends the execution at once.
//
// A state is plain bytes without padding: states are compared and hashed as bytes.
#pragma once

#include <bit>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/clock.h"
#include "oracle/program.h"

namespace raddle::oracle {

enum class Status : std::uint8_t {
  unborn,
  ready,
  waiting,  // for a signal
  woken,    // signalled or timed out, needs its mutex back
  arrived,  // at the barrier, waits for the others
  done,
  ending,  // has run the handlers, the process ends when nobody else can go on
};

enum class Failure : std::uint8_t { none, use_after_free, double_free };

struct ThreadState {
  Status status;
  std::uint8_t body;
  std::uint8_t pc;
  std::uint8_t rounds;     // of `repeat`
  std::uint8_t timed_out;  // of `woken`
  Clock clock;
  Clock released;  // at its last release fence
  Clock pending;   // what an acquire fence would acquire
};

struct State {
  std::array<ThreadState, kThreads> threads;
  std::array<std::array<std::uint8_t, kRegisters>, kBodies> regs;
  std::array<std::uint8_t, kBodies> carried_out;  // operations, as the emitted C counts them
  std::array<std::uint8_t, kCells> variables;
  std::array<Clock, kCells> published;        // what an acquiring read acquires
  std::array<std::uint8_t, kCells> heads;     // who began the release sequence: thread + 1, or 0
  std::array<std::uint8_t, kMutexes> owners;  // thread + 1, or 0
  std::array<Clock, kMutexes> unlocked;
  std::array<std::uint8_t, kRwlocks> writers;  // thread + 1, or 0
  std::array<std::uint8_t, kRwlocks> readers;  // a set of threads each
  std::array<Clock, kRwlocks> written;         // by unlocks of writers
  std::array<Clock, kRwlocks> read;            // by unlocks of readers
  std::uint8_t semaphore;
  Clock posted;
  std::uint8_t at_barrier;
  Clock arrived;
  std::uint8_t freed;   // the heap block
  std::uint8_t ender;   // who began to end the process: thread + 1, or 0
  std::uint8_t status;  // of the process
  Failure failure;
  std::uint8_t failed_body;
  std::uint8_t failed_op;
  // The epoch of the last access of each operation, 0 if there was none. The top bit says that it
  // wrote: a compare_exchange that fails does not.
  std::array<std::array<std::uint8_t, kOps>, kBodies> accesses;

  bool operator==(const State& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
};
static_assert(std::has_unique_object_representations_v<State>);

enum class Way : std::uint8_t {
  normal,
  time_out,
  wake,  // a signal that wakes thread `target`
};

struct Step {
  std::uint8_t thread;
  Way way;
  std::uint8_t target;
};

// Two sites, the smaller first.
using Race = std::pair<unsigned, unsigned>;

class Machine {
 public:
  explicit Machine(const Program& program) : program_(program) {}

  State first() const;
  // All steps that are possible; none means that everybody has ended, the process has, a deadlock,
  // or a failure. Unless time
  // may pass at any point, it does so only when nobody can go on, or nobody but those who yield.
  std::vector<Step> steps(const State& state) const;
  // Appends the races of the step to `races`.
  State after(const State& state, const Step& step, std::vector<Race>& races) const;
  // The step by which the thread carries out its next operation, if that is possible now. A thread
  // that waits for time does not get it before it has to. Requires: no signal has a choice.
  std::optional<Step> only_step(const State& state, unsigned thread) const;
  unsigned next_site(const State& state, unsigned thread) const {
    return site(state.threads[thread].body, state.threads[thread].pc);
  }
  const Op& op(const State& state, unsigned thread) const {
    return program_.body(state.threads[thread].body)[state.threads[thread].pc];
  }
  // Whether threads wait for locks of each other, or for each other's end, in a circle.
  bool has_circle(const State& state) const;
  // Whether the thread waits for something that others have to do first, or for ever.
  bool is_blocked(const State& state, unsigned thread) const;
  // "0 1 0 2 2|0 0|1 3|": variables, and the registers of every thread; "deadlock".
  std::string outcome(const State& state) const;
  // What the emitted C records of a state: variables, status of the process if it is ending, and
  // for each body the number of operations carried out and the registers.
  std::string record(const State& state) const;

 private:
  bool can_go(const State& state, unsigned thread) const;
  bool can_time_out(const State& state, unsigned thread) const;
  void carry_out(State& state, const Step& step, std::vector<Race>& races) const;
  void access(State& state, unsigned thread, std::vector<Race>& races) const;
  void fence(State& state, unsigned thread) const;
  void lock_or_unlock(State& state, const Step& step) const;
  void rwlock(State& state, unsigned thread) const;
  void semaphore(State& state, const Step& step) const;
  void wait(State& state, const Step& step) const;
  void signal(State& state, const Step& step) const;
  void barrier(State& state, unsigned thread) const;
  void create_or_join(State& state, unsigned thread) const;
  void publish(State& state, unsigned thread, bool updates, Order order) const;
  void note(State& state, unsigned thread, bool wrote, std::vector<Race>& races) const;
  void free_block(State& state, unsigned thread, std::vector<Race>& races) const;
  void begin_end(State& state, unsigned thread) const;
  void next_body(State& state, unsigned thread) const;
  void start_body(State& state, unsigned thread, unsigned body) const;
  unsigned needs(const State& state, unsigned thread) const;
  void fail(State& state, unsigned thread, Failure failure) const;
  void advance(State& state, unsigned thread) const;
  void skip_guarded(State& state, unsigned thread) const;
  void result(State& state, unsigned thread, unsigned value) const;

  const Program& program_;
};

}  // namespace raddle::oracle
