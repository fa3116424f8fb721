// SPDX-License-Identifier: Apache-2.0
//
// The abstract machine: which steps are possible, and the frame of a step. What accesses and
// synchronisation do is in machine_access.cc and machine_sync.cc, the end of the process and
// circles of waiting threads are in machine_end.cc. Tests only.
#include "oracle/machine.h"

namespace raddle::oracle {
State Machine::first() const {
  State state;
  std::memset(&state, 0, sizeof state);
  state.semaphore = program_.semaphore;
  for (std::uint8_t t = 0; t < kThreads; ++t) state.threads[t].body = t;
  state.threads[0].status = Status::ready;
  skip_guarded(state, 0);
  return state;
}

bool Machine::can_go(const State& state, unsigned thread) const {
  const ThreadState& self = state.threads[thread];
  if (self.status == Status::woken) return state.owners[op(state, thread).object] == 0;
  if (self.status != Status::ready) return false;
  const Op& next = op(state, thread);
  if (state.freed && next.in_block()) return true;  // and that is its end
  switch (next.what) {
    case Do::lock:
    case Do::timed_lock:
      return state.owners[next.object] == 0;
    case Do::read_lock:
      return state.writers[next.object] == 0;
    case Do::write_lock:
      return state.writers[next.object] == 0 && state.readers[next.object] == 0;
    case Do::sem_wait:
    case Do::timed_sem_wait:
      return state.semaphore > 0;
    case Do::join:
      return state.threads[next.object].status == Status::done;
    case Do::leave:
    case Do::exit:
    case Do::quick_exit:
      return state.ender == 0;
    default:
      return true;
  }
}

bool Machine::can_time_out(const State& state, unsigned thread) const {
  const ThreadState& self = state.threads[thread];
  if (self.status != Status::ready && self.status != Status::waiting) return false;
  const Op& now = op(state, thread);
  if (now.what == Do::timed_wait) return self.status == Status::waiting;
  return now.is_timed() && !can_go(state, thread);
}

std::vector<Step> Machine::steps(const State& state) const {
  std::vector<Step> all;
  if (state.failure != Failure::none) return all;
  bool idle = true;
  for (std::uint8_t t = 0; t < program_.threads.size(); ++t) {
    if (!can_go(state, t)) continue;
    const Do what = op(state, t).what;
    const bool signals = state.threads[t].status == Status::ready && what == Do::signal;
    idle = idle && what == Do::yield;
    const std::size_t before = all.size();
    for (std::uint8_t u = 0; signals && u < program_.threads.size(); ++u) {
      if (state.threads[u].status == Status::waiting) all.push_back({t, Way::wake, u});
    }
    if (all.size() == before) all.push_back({t, Way::normal, 0});
  }
  if (!idle && !program_.timers_any) return all;
  for (std::uint8_t t = 0; t < program_.threads.size(); ++t) {
    if (can_time_out(state, t)) all.push_back({t, Way::time_out, 0});
  }
  return all;
}

std::optional<Step> Machine::only_step(const State& state, unsigned thread) const {
  const std::uint8_t t = static_cast<std::uint8_t>(thread);
  if (can_go(state, thread)) return Step{t, Way::normal, 0};
  if (can_time_out(state, thread)) return Step{t, Way::time_out, 0};
  return std::nullopt;
}

State Machine::after(const State& state, const Step& step, std::vector<Race>& races) const {
  State next = state;
  ++next.threads[step.thread].clock[step.thread];
  carry_out(next, step, races);
  return next;
}

void Machine::carry_out(State& state, const Step& step, std::vector<Race>& races) const {
  const unsigned t = step.thread;
  const Op& now = op(state, t);
  if (state.freed && now.in_block()) return fail(state, t, Failure::use_after_free);
  switch (now.what) {
    case Do::load:
    case Do::store:
    case Do::atomic_load:
    case Do::atomic_store:
    case Do::fetch_add:
    case Do::exchange:
    case Do::compare_exchange:
      return access(state, t, races);
    case Do::fence:
      return fence(state, t);
    case Do::lock:
    case Do::unlock:
    case Do::try_lock:
    case Do::timed_lock:
      return lock_or_unlock(state, step);
    case Do::wait:
    case Do::timed_wait:
      return wait(state, step);
    case Do::signal:
    case Do::broadcast:
      return signal(state, step);
    case Do::read_lock:
    case Do::write_lock:
    case Do::try_read_lock:
    case Do::try_write_lock:
    case Do::rw_unlock:
      return rwlock(state, t);
    case Do::post:
    case Do::sem_wait:
    case Do::try_sem_wait:
    case Do::timed_sem_wait:
      return semaphore(state, step);
    case Do::barrier:
      return barrier(state, t);
    case Do::create:
    case Do::join:
      return create_or_join(state, t);
    case Do::free_block:
      return free_block(state, t, races);
    case Do::leave:
    case Do::exit:
    case Do::quick_exit:
      return begin_end(state, t);
    case Do::detach:
    case Do::repeat:
    case Do::yield:
      return advance(state, t);
  }
}

void Machine::result(State& state, unsigned thread, unsigned value) const {
  const Op& now = op(state, thread);
  if (now.reg < 0) return;
  state.regs[state.threads[thread].body][now.reg] = static_cast<std::uint8_t>(value);
}

// Of those whom a barrier lets go, nobody can tell from outside when they do: not counted.
void Machine::advance(State& state, unsigned thread) const {
  ThreadState& self = state.threads[thread];
  self.status = Status::ready;
  self.timed_out = 0;
  if (op(state, thread).what != Do::barrier) ++state.carried_out[self.body];
  if (op(state, thread).again) {
    --self.pc;
  } else {
    ++self.pc;
  }
  skip_guarded(state, thread);
}

// A guard looks at registers only, so nobody else can tell when it is evaluated: no step. Nor is
// going back in a loop.
void Machine::skip_guarded(State& state, unsigned thread) const {
  ThreadState& self = state.threads[thread];
  const std::vector<Op>& ops = program_.body(self.body);
  while (self.pc < ops.size()) {
    const Op& next = ops[self.pc];
    const bool skipped = next.guard >= 0 && state.regs[self.body][next.guard] != next.guard_value;
    if (!skipped && next.what != Do::repeat) return;
    if (!skipped && self.rounds == 0) {
      self.rounds = 1;
      self.pc = static_cast<std::uint8_t>(self.pc - next.object);
    } else {
      if (next.what == Do::repeat) self.rounds = 0;
      ++self.pc;
    }
  }
  if (self.body < kThreads) {
    self.status = Status::done;
  } else {
    next_body(state, thread);
  }
}

std::string Machine::outcome(const State& state) const {
  std::string all;
  for (unsigned i = 0; i < kVariables; ++i) all += std::to_string(state.variables[i]) + " ";
  for (unsigned t = 0; t < program_.threads.size(); ++t) {
    if (state.threads[t].status != Status::done) return "deadlock";
    all += "|";
    for (unsigned value : state.regs[t]) all += " " + std::to_string(value);
  }
  return all;
}

std::string Machine::record(const State& state) const {
  std::string all;
  for (unsigned value : state.variables) all += std::to_string(value) + " ";
  all += state.ender ? "exit " + std::to_string(state.status) : "-";
  for (unsigned b = 0; b < kBodies; ++b) {
    if (!program_.has_body(b)) continue;
    all += "|" + std::to_string(state.carried_out[b]);
    for (unsigned value : state.regs[b]) all += " " + std::to_string(value);
  }
  return all;
}

}  // namespace raddle::oracle
