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
};

struct ThreadState {
  Status status;
  std::uint8_t pc;
  std::uint8_t timed_out;  // of `woken`
  std::array<std::uint8_t, kRegisters> regs;
  Clock clock;
  Clock released;  // at its last release fence
  Clock pending;   // what an acquire fence would acquire
};

struct State {
  std::array<ThreadState, kThreads> threads;
  std::array<std::uint8_t, kVariables> variables;
  std::array<Clock, kVariables> published;     // what an acquiring read acquires
  std::array<std::uint8_t, kVariables> heads;  // who began the release sequence: thread + 1, or 0
  std::array<std::uint8_t, kMutexes> owners;   // thread + 1, or 0
  std::array<Clock, kMutexes> unlocked;
  std::uint8_t writer;   // of the rwlock: thread + 1, or 0
  std::uint8_t readers;  // a set of threads
  Clock written;         // by unlocks of writers
  Clock read;            // by unlocks of readers
  std::uint8_t semaphore;
  Clock posted;
  std::uint8_t at_barrier;
  Clock arrived;
  // The epoch of the last access of each operation, 0 if there was none. The top bit says that it
  // wrote: a compare_exchange that fails does not.
  std::array<std::array<std::uint8_t, kOps>, kThreads> accesses;

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
  // All steps that are possible; none means that everybody has ended, or a deadlock. Unless time
  // may pass at any point, it does so only when nobody can go on, or nobody but those who yield.
  std::vector<Step> steps(const State& state) const;
  // Appends the races of the step to `races`.
  State after(const State& state, const Step& step, std::vector<Race>& races) const;
  // The step by which the thread carries out its next operation, if that is possible now. A thread
  // that waits for time does not get it before it has to. Requires: no signal has a choice.
  std::optional<Step> only_step(const State& state, unsigned thread) const;
  unsigned next_site(const State& state, unsigned thread) const {
    return site(thread, state.threads[thread].pc);
  }
  // "0 1 0 2 2|0 0|1 3|": variables, and the registers of every thread; "deadlock".
  std::string outcome(const State& state) const;

 private:
  const Op& op(const State& state, unsigned thread) const {
    return program_.threads[thread][state.threads[thread].pc];
  }
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
  void advance(State& state, unsigned thread) const;
  void skip_guarded(State& state, unsigned thread) const;
  void result(State& state, unsigned thread, unsigned value) const;

  const Program& program_;
};

}  // namespace raddle::oracle
