// SPDX-License-Identifier: Apache-2.0
//
// Depth first over all prefixes of traces, each once. A prefix is known by the steps of each thread
// and, for each of them, how many steps of every other thread come before it by dependence: a
// vector clock. The steps of a thread with their clocks are hashed into a chain, and the chains of
// all threads are what a prefix is recognised by. Tests only.
#include "oracle/traces.h"

#include <unordered_map>

#include "oracle/state_hash.h"

namespace raddle::oracle {
namespace {

// What steps can be dependent on.
constexpr unsigned kMutexObject = kCells;
constexpr unsigned kRwlockObject = kMutexObject + kMutexes;
constexpr unsigned kConditionObject = kRwlockObject + kRwlocks;
constexpr unsigned kSemaphoreObject = kConditionObject + 1;
constexpr unsigned kBarrierObject = kSemaphoreObject + 1;
constexpr unsigned kEndObject = kBarrierObject + 1;
constexpr unsigned kObjects = kEndObject + 1;

struct Prefix {
  std::array<Clock, kThreads> threads = {};
  std::array<Clock, kObjects> changed = {};  // all steps on the object that change it
  std::array<Clock, kObjects> used = {};     // all steps on it
  std::array<std::uint64_t, kThreads> chains = {};
};

struct Touched {
  unsigned changes = 0;  // a set of objects
  unsigned reads = 0;
};

Touched of_rwlock(const State& state, unsigned thread, const Op& op) {
  const unsigned lock = 1u << (kRwlockObject + op.object);
  const bool unlocks_reader = op.what == Do::rw_unlock && state.writers[op.object] != thread + 1;
  const bool reads = unlocks_reader || op.what == Do::read_lock || op.what == Do::try_read_lock;
  return reads ? Touched{0, lock} : Touched{lock, 0};
}

Touched touched_by(const State& state, unsigned thread, const Op& op) {
  if (op.is_access()) {
    const bool reads = op.what == Do::load || op.what == Do::atomic_load;
    return reads ? Touched{0, op.cells()} : Touched{op.cells(), 0};
  }
  if (op.is_rwlock()) return of_rwlock(state, thread, op);
  if (op.ends_process()) return {1u << kEndObject, 0};
  const unsigned mutex = 1u << (kMutexObject + op.object);
  switch (op.what) {
    case Do::wait:
    case Do::timed_wait:
      return {mutex | 1u << kConditionObject, 0};
    case Do::signal:
    case Do::broadcast:
      return {1u << kConditionObject, 0};
    case Do::post:
    case Do::sem_wait:
    case Do::try_sem_wait:
    case Do::timed_sem_wait:
      return {1u << kSemaphoreObject, 0};
    case Do::barrier:
      return {1u << kBarrierObject, 0};
    case Do::free_block:
      return {op.cells() | 1u << (kMutexObject + kHeapMutex) | 1u << (kRwlockObject + kHeapRwlock),
              0};
    default:
      return {op.is_mutex() ? mutex : 0, 0};
  }
}

class Counter {
 public:
  Counter(const Program& program, std::size_t prefixes_max)
      : machine_(program), program_(program), prefixes_max_(prefixes_max) {}

  Traces all() {
    visit(machine_.first(), Prefix{});
    traces_.prefixes = seen_.size();
    return traces_;
  }

 private:
  void visit(const State& state, const Prefix& prefix) {
    const std::uint64_t looks = hash_of(state);
    const auto [known, fresh] = seen_.emplace(hash_of(prefix.chains), looks);
    if (!fresh) {
      traces_.broken = traces_.broken || known->second != looks;
      return;
    }
    if (seen_.size() >= prefixes_max_) traces_.cut = true;
    if (traces_.cut) return;
    const std::vector<Step> steps = machine_.steps(state);
    if (steps.empty()) ++traces_.count;
    for (const Step& step : steps) {
      races_.clear();
      const State next = machine_.after(state, step, races_);
      visit(next, longer(prefix, state, next, step));
    }
  }

  Prefix longer(const Prefix& prefix, const State& state, const State& next,
                const Step& step) const {
    Prefix made = prefix;
    const unsigned t = step.thread;
    const Op& op = machine_.op(state, t);
    const Touched touched = touched_by(state, t, op);
    Clock& clock = made.threads[t];
    for (unsigned i = 0; i < kObjects; ++i) {
      if (touched.changes >> i & 1) join_into(clock, made.used[i]);
      if (touched.reads >> i & 1) join_into(clock, made.changed[i]);
    }
    if (op.what == Do::join) join_into(clock, made.threads[op.object]);
    ++clock[t];
    for (unsigned i = 0; i < kObjects; ++i) {
      if (touched.changes >> i & 1) made.changed[i] = clock;
      if ((touched.changes | touched.reads) >> i & 1) join_into(made.used[i], clock);
    }
    for (unsigned u = 0; u < program_.threads.size(); ++u) {
      if (u != t && was_helped(state, next, u)) join_into(made.threads[u], clock);
    }
    const std::array<unsigned, 3> label = {machine_.next_site(state, t),
                                           static_cast<unsigned>(step.way), step.target};
    made.chains[t] = hash_of(clock, hash_of(label, made.chains[t]));
    return made;
  }

  // Created, woken, or let go at a barrier, by somebody else's step.
  static bool was_helped(const State& state, const State& next, unsigned thread) {
    return state.threads[thread].status != next.threads[thread].status;
  }

  Machine machine_;
  const Program& program_;
  std::size_t prefixes_max_;
  std::unordered_map<std::uint64_t, std::uint64_t> seen_;
  std::vector<Race> races_;
  Traces traces_;
};

}  // namespace

Traces count_traces(const Program& program, std::size_t prefixes_max) {
  return Counter(program, prefixes_max).all();
}

}  // namespace raddle::oracle
