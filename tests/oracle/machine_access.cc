// SPDX-License-Identifier: Apache-2.0
//
// The abstract machine: loads, stores, read-modify-writes and fences, their part in happens-before,
// and races. Tests only.
#include "oracle/clock.h"
#include "oracle/machine.h"

namespace raddle::oracle {
namespace {

bool acquires(Order order) {
  return order == Order::acquire || order == Order::acq_rel || order == Order::seq_cst;
}

bool releases(Order order) {
  return order == Order::release || order == Order::acq_rel || order == Order::seq_cst;
}

// What a read takes over from the writes it sees.
void take(ThreadState& self, const Clock& published, Order order) {
  join_into(acquires(order) ? self.clock : self.pending, published);
}

const Clock& given(const ThreadState& self, Order order) {
  return releases(order) ? self.clock : self.released;
}

}  // namespace

// A word is two bytes: its low half is that of variable 0, the high half that of variable 1. Four
// bits of each are enough to tell all values apart.
void Machine::access(State& state, unsigned thread, std::vector<Race>& races) const {
  const Op& now = op(state, thread);
  ThreadState& self = state.threads[thread];
  const bool word = now.object == kWord;
  std::uint8_t& variable = state.variables[word ? 0 : now.object];
  const std::uint8_t before =
      word ? static_cast<std::uint8_t>((variable & 15) | (state.variables[1] & 15) << 4) : variable;
  const std::uint8_t operand = now.from >= 0 ? state.regs[self.body][now.from] : now.value;
  const bool fails = now.what == Do::compare_exchange && before != now.expected;
  const bool reads = now.what != Do::store && now.what != Do::atomic_store;
  const bool writes = now.what != Do::load && now.what != Do::atomic_load && !fails;
  const Order order = fails ? now.failure : now.order;

  if (now.is_atomic() && reads) take(self, state.published[now.object], order);
  note(state, thread, writes, races);
  if (writes && word) {
    variable = operand & 15;
    state.variables[1] = operand >> 4;
  } else if (writes) {
    variable = now.what == Do::fetch_add ? before + operand : operand;
    publish(state, thread, reads, order);
  }
  if (reads) result(state, thread, before);
  advance(state, thread);
}

// A release sequence is its head, the read-modify-writes that follow it, and relaxed stores of the
// thread that began it.
void Machine::publish(State& state, unsigned thread, bool updates, Order order) const {
  const Op& now = op(state, thread);
  const Clock& gives = given(state.threads[thread], order);
  Clock& published = state.published[now.object];
  std::uint8_t& head = state.heads[now.object];
  const std::uint8_t me = static_cast<std::uint8_t>(thread + 1);
  if (!now.is_atomic()) {
    published = {};
    head = 0;
  } else if (updates || (head == me && !releases(order))) {
    join_into(published, gives);
    if (releases(order)) head = me;
  } else {
    published = gives;
    head = gives == Clock{} ? 0 : me;
  }
}

void Machine::fence(State& state, unsigned thread) const {
  ThreadState& self = state.threads[thread];
  const Order order = op(state, thread).order;
  if (acquires(order)) join_into(self.clock, self.pending);
  if (releases(order)) self.released = self.clock;
  advance(state, thread);
}

// Keeping the last access of each operation is exact: one that is ordered before the present
// access has its predecessors of the same thread before it too. (In a loop it is so only for
// operations that always write or never do.)
void Machine::note(State& state, unsigned thread, bool wrote, std::vector<Race>& races) const {
  const Op& now = op(state, thread);
  const ThreadState& self = state.threads[thread];
  const unsigned here = site(self.body, self.pc);
  for (unsigned b = 0; b < kBodies; ++b) {
    // Handlers run in the thread that ends the process.
    const unsigned u = b < kThreads ? b : state.ender - 1u;
    if (!program_.has_body(b) || u == thread || u >= kThreads) continue;
    const std::vector<Op>& ops = program_.body(b);
    for (unsigned i = 0; i < ops.size(); ++i) {
      const unsigned noted = state.accesses[b][i];
      if (noted == 0 || (ops[i].cells() & now.cells()) == 0) continue;
      const bool conflict = (wrote || (noted & 0x80)) && !(now.is_atomic() && ops[i].is_atomic());
      if (!conflict || (noted & 0x7f) <= self.clock[u]) continue;
      races.push_back({std::min(here, site(b, i)), std::max(here, site(b, i))});
    }
  }
  state.accesses[self.body][self.pc] = self.clock[thread] | (wrote ? 0x80 : 0);
}

// A plain write of the whole block. What uses the block later does not get there.
void Machine::free_block(State& state, unsigned thread, std::vector<Race>& races) const {
  if (state.freed) return fail(state, thread, Failure::double_free);
  note(state, thread, true, races);
  state.freed = 1;
  advance(state, thread);
}

void Machine::fail(State& state, unsigned thread, Failure failure) const {
  state.failure = failure;
  state.failed_body = state.threads[thread].body;
  state.failed_op = state.threads[thread].pc;
}

}  // namespace raddle::oracle
