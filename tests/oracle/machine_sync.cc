// SPDX-License-Identifier: Apache-2.0
//
// The abstract machine: locks, condition variables, semaphores, barriers, threads, and the edges of
// happens-before that they make. What fails (a try, a time-out) makes none. Tests only.
#include "oracle/clock.h"
#include "oracle/machine.h"

namespace raddle::oracle {

void Machine::lock_or_unlock(State& state, const Step& step) const {
  const Op& now = op(state, step.thread);
  ThreadState& self = state.threads[step.thread];
  std::uint8_t& owner = state.owners[now.object];
  if (now.what == Do::unlock) {
    owner = 0;
    state.unlocked[now.object] = self.clock;
  } else {
    const bool got = step.way != Way::time_out && owner == 0;
    if (got) {
      owner = static_cast<std::uint8_t>(step.thread + 1);
      join_into(self.clock, state.unlocked[now.object]);
    }
    result(state, step.thread, got);
  }
  advance(state, step.thread);
}

void Machine::rwlock(State& state, unsigned thread) const {
  const Op& now = op(state, thread);
  ThreadState& self = state.threads[thread];
  std::uint8_t& writer = state.writers[now.object];
  std::uint8_t& readers = state.readers[now.object];
  const std::uint8_t bit = static_cast<std::uint8_t>(1u << thread);
  if (now.what == Do::rw_unlock) {
    if (writer == thread + 1) {
      writer = 0;
      join_into(state.written[now.object], self.clock);
    } else {
      readers &= static_cast<std::uint8_t>(~bit);
      join_into(state.read[now.object], self.clock);
    }
  } else {
    const bool for_writing = now.what == Do::write_lock || now.what == Do::try_write_lock;
    const bool got = writer == 0 && (!for_writing || readers == 0);
    if (got) {
      join_into(self.clock, state.written[now.object]);
      if (for_writing) {
        join_into(self.clock, state.read[now.object]);
        writer = static_cast<std::uint8_t>(thread + 1);
      } else {
        readers |= bit;
      }
    }
    result(state, thread, got);
  }
  advance(state, thread);
}

// The value is a counter changed by read-modify-writes, so a wait takes over from all earlier
// posts, whichever of them it consumes.
void Machine::semaphore(State& state, const Step& step) const {
  ThreadState& self = state.threads[step.thread];
  if (op(state, step.thread).what == Do::post) {
    ++state.semaphore;
    join_into(state.posted, self.clock);
  } else {
    const bool got = step.way != Way::time_out && state.semaphore > 0;
    if (got) {
      --state.semaphore;
      join_into(self.clock, state.posted);
    }
    result(state, step.thread, got);
  }
  advance(state, step.thread);
}

// Two steps: give the mutex away, and, once woken, take it again.
void Machine::wait(State& state, const Step& step) const {
  const unsigned mutex = op(state, step.thread).object;
  ThreadState& self = state.threads[step.thread];
  if (self.status == Status::ready) {
    state.owners[mutex] = 0;
    state.unlocked[mutex] = self.clock;
    self.status = Status::waiting;
  } else if (self.status == Status::waiting) {
    self.status = Status::woken;
    self.timed_out = 1;
  } else {
    state.owners[mutex] = static_cast<std::uint8_t>(step.thread + 1);
    join_into(self.clock, state.unlocked[mutex]);
    result(state, step.thread, self.timed_out == 0);
    advance(state, step.thread);
  }
}

void Machine::signal(State& state, const Step& step) const {
  const bool all = op(state, step.thread).what == Do::broadcast;
  for (unsigned u = 0; u < program_.threads.size(); ++u) {
    ThreadState& other = state.threads[u];
    if (other.status != Status::waiting) continue;
    if (!all && (step.way != Way::wake || u != step.target)) continue;
    other.status = Status::woken;
    join_into(other.clock, state.threads[step.thread].clock);
  }
  advance(state, step.thread);
}

void Machine::barrier(State& state, unsigned thread) const {
  state.at_barrier |= static_cast<std::uint8_t>(1u << thread);
  join_into(state.arrived, state.threads[thread].clock);
  if (std::popcount(state.at_barrier) < program_.barrier) {
    state.threads[thread].status = Status::arrived;
    return;
  }
  for (unsigned u = 0; u < program_.threads.size(); ++u) {
    if (!(state.at_barrier >> u & 1)) continue;
    join_into(state.threads[u].clock, state.arrived);
    advance(state, u);
  }
  state.at_barrier = 0;
  state.arrived = {};
}

void Machine::create_or_join(State& state, unsigned thread) const {
  const Op& now = op(state, thread);
  ThreadState& other = state.threads[now.object];
  if (now.what == Do::create) {
    other.status = Status::ready;
    join_into(other.clock, state.threads[thread].clock);
    skip_guarded(state, now.object);
  } else {
    join_into(state.threads[thread].clock, other.clock);
  }
  advance(state, thread);
}

}  // namespace raddle::oracle
