// SPDX-License-Identifier: Apache-2.0
//
// Finds the period of every thread's operations by the failure function of Knuth, Morris and Pratt
// (1977): the shortest period of a sequence is its length minus its longest border. Engine side.
#include "analysis/livelock.h"

#include <algorithm>
#include <map>

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::ThreadState;

// Memory orders and steps are not compared: the first follow from the site, the second only count.
bool same_op(const Event& a, const Event& b) {
  return a.kind == b.kind && a.site == b.site && a.where == b.where && a.value == b.value &&
         a.size == b.size && (a.flags & wire::kEventFailed) == (b.flags & wire::kEventFailed);
}

std::size_t shortest_period(const std::vector<Event>& ops) {
  std::vector<std::size_t> border(ops.size() + 1, 0);
  std::size_t length = 0;
  for (std::size_t i = 1; i < ops.size(); ++i) {
    while (length > 0 && !same_op(ops[i], ops[length])) length = border[length];
    if (same_op(ops[i], ops[length])) ++length;
    border[i + 1] = length;
  }
  return ops.size() - border[ops.size()];
}

// Cycles of different runs should begin alike: at the smallest site.
std::vector<Event> rotated(std::vector<Event> turn) {
  std::size_t first = 0;
  for (std::size_t i = 1; i < turn.size(); ++i)
    if (turn[i].site < turn[first].site) first = i;
  std::vector<Event> result(turn.begin() + static_cast<std::ptrdiff_t>(first), turn.end());
  result.insert(result.end(), turn.begin(), turn.begin() + static_cast<std::ptrdiff_t>(first));
  return result;
}

// What goes through a descriptor is not recorded, so it may be new every time; so may be what
// signals are sent for.
bool moves_data(const std::vector<Event>& ops) {
  for (const Event& op : ops) {
    bool moves = op.kind == wire::OpKind::io_read || op.kind == wire::OpKind::io_write;
    if (moves && (op.flags & wire::kEventFailed) == 0) return true;
    if (op.kind == wire::OpKind::signal_send || op.kind == wire::OpKind::signal_handle) return true;
  }
  return false;
}

bool is_op(const Event& event) {
  return event.kind < wire::OpKind::count && wire::op_class(event.kind) != wire::OpClass::mark;
}

// The step of the first operation from which on the thread repeats one cycle of that period.
StepIndex begin_of_circles(std::span<const Event> events, ThreadId thread, std::size_t period) {
  std::vector<const Event*> ops;
  for (const Event& event : events)
    if (event.thread == thread && is_op(event)) ops.push_back(&event);
  std::size_t first = ops.size() - period;
  while (first > 0 && same_op(*ops[first - 1], *ops[first - 1 + period])) --first;
  return ops[first]->step;
}

bool could_break_the_cycle(const wire::ThreadReport& thread) {
  return thread.state == ThreadState::running || thread.state == ThreadState::runnable ||
         thread.state == ThreadState::sleeping;
}

}  // namespace

std::optional<LivelockCycle> find_livelock(std::span<const Event> events,
                                           std::span<const wire::ThreadReport> threads) {
  std::map<ThreadId, std::vector<Event>> sequences;
  for (const Event& event : events.subspan(events.size() / 2)) {
    if (is_op(event)) sequences[event.thread].push_back(event);
  }
  for (const wire::ThreadReport& thread : threads)
    if (could_break_the_cycle(thread) && !sequences.contains(thread.id)) return std::nullopt;
  LivelockCycle cycle{};
  for (auto& [thread, ops] : sequences) {
    std::size_t period = shortest_period(ops);
    if (period > kPeriodMax || ops.size() / period < kRepeatsMin) return std::nullopt;
    std::size_t repeats = ops.size() / period;
    ops.resize(period);
    if (moves_data(ops)) return std::nullopt;
    cycle.since = std::max(cycle.since, begin_of_circles(events, thread, period));
    cycle.turns.push_back({thread, rotated(std::move(ops)), repeats});
  }
  if (cycle.turns.empty()) return std::nullopt;
  return cycle;
}

void Livelock::finish(const facts::Run& run, Findings& findings) {
  if (run.verdict.kind != wire::VerdictKind::limit) return;
  std::optional<LivelockCycle> cycle = find_livelock(run.events, run.threads);
  if (!cycle) return;
  Evidence evidence;
  evidence.thread = cycle->turns.front().thread;
  for (const LivelockCycle::Turn& turn : cycle->turns)
    evidence.events.insert(evidence.events.end(), turn.events.begin(), turn.events.end());
  findings.push_back(std::move(evidence));
}

}  // namespace raddle::analysis
