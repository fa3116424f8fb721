// SPDX-License-Identifier: Apache-2.0
//
// The abstract machine: the end of the process, and who waits for whom. Tests only.
#include "oracle/machine.h"

namespace raddle::oracle {

void Machine::begin_end(State& state, unsigned thread) const {
  const Op& now = op(state, thread);
  ThreadState& self = state.threads[thread];
  state.ender = static_cast<std::uint8_t>(thread + 1);
  state.status = now.value;
  ++state.carried_out[self.body];
  const unsigned quick = now.what == Do::quick_exit ? 1 : 0;
  const auto count = static_cast<unsigned>(program_.handlers[quick].size());
  if (count == 0) {
    self.status = Status::ending;
  } else {
    start_body(state, thread, handler_body(quick, count - 1));
  }
}

// The handlers run in the reverse order of their registration.
void Machine::next_body(State& state, unsigned thread) const {
  ThreadState& self = state.threads[thread];
  if (self.body == handler_body(0, 0) || self.body == handler_body(1, 0)) {
    self.status = Status::ending;
  } else {
    start_body(state, thread, self.body - 1u);
  }
}

void Machine::start_body(State& state, unsigned thread, unsigned body) const {
  ThreadState& self = state.threads[thread];
  self.body = static_cast<std::uint8_t>(body);
  self.pc = 0;
  self.rounds = 0;
  self.status = Status::ready;
  skip_guarded(state, thread);
}

bool Machine::is_blocked(const State& state, unsigned thread) const {
  const Status status = state.threads[thread].status;
  if (status == Status::unborn || status == Status::done || status == Status::ending) return false;
  return !can_go(state, thread);
}

// The threads that have to go on before this one can: a set.
unsigned Machine::needs(const State& state, unsigned thread) const {
  if (!is_blocked(state, thread)) return 0;
  const ThreadState& self = state.threads[thread];
  if (self.status == Status::waiting || self.status == Status::arrived) return 0;
  const Op& now = op(state, thread);
  const auto one = [](unsigned owner) { return owner == 0 ? 0u : 1u << (owner - 1); };
  switch (now.what) {
    case Do::lock:
    case Do::wait:
    case Do::timed_wait:
      return one(state.owners[now.object]);
    case Do::read_lock:
      return one(state.writers[now.object]);
    case Do::write_lock:
      return one(state.writers[now.object]) | state.readers[now.object];
    case Do::join:
      return 1u << now.object;
    default:
      return 0;
  }
}

bool Machine::has_circle(const State& state) const {
  std::array<unsigned, kThreads> needed = {};
  for (unsigned t = 0; t < program_.threads.size(); ++t) needed[t] = needs(state, t);
  for (unsigned round = 0; round < kThreads; ++round) {
    for (unsigned t = 0; t < kThreads; ++t) {
      for (unsigned u = 0; u < kThreads; ++u) {
        if (needed[t] >> u & 1) needed[t] |= needed[u];
      }
    }
  }
  for (unsigned t = 0; t < kThreads; ++t) {
    if (needed[t] >> t & 1) return true;
  }
  return false;
}

}  // namespace raddle::oracle
