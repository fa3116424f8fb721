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

void Machine::access(State& state, unsigned thread, std::vector<Race>& races) const {
  const Op& now = op(state, thread);
  ThreadState& self = state.threads[thread];
  std::uint8_t& variable = state.variables[now.object];
  const std::uint8_t before = variable;
  const std::uint8_t operand = now.from >= 0 ? self.regs[now.from] : now.value;
  const bool fails = now.what == Do::compare_exchange && before != now.expected;
  const bool reads = now.what != Do::store && now.what != Do::atomic_store;
  const bool writes = now.what != Do::load && now.what != Do::atomic_load && !fails;
  const Order order = fails ? now.failure : now.order;

  if (now.is_atomic() && reads) take(self, state.published[now.object], order);
  note(state, thread, writes, races);
  if (writes) {
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
// access has its predecessors of the same thread before it too.
void Machine::note(State& state, unsigned thread, bool wrote, std::vector<Race>& races) const {
  const Op& now = op(state, thread);
  const Clock& clock = state.threads[thread].clock;
  const unsigned here = site(thread, state.threads[thread].pc);
  for (unsigned u = 0; u < program_.threads.size(); ++u) {
    if (u == thread) continue;
    for (unsigned i = 0; i < program_.threads[u].size(); ++i) {
      const Op& other = program_.threads[u][i];
      const unsigned noted = state.accesses[u][i];
      if (noted == 0 || other.object != now.object) continue;
      const bool conflict = (wrote || (noted & 0x80)) && !(now.is_atomic() && other.is_atomic());
      if (!conflict || (noted & 0x7f) <= clock[u]) continue;
      races.push_back({std::min(here, site(u, i)), std::max(here, site(u, i))});
    }
  }
  state.accesses[thread][state.threads[thread].pc] = clock[thread] | (wrote ? 0x80 : 0);
}

}  // namespace raddle::oracle
