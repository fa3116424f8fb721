// SPDX-License-Identifier: Apache-2.0
//
// Where a run of the tree search could have gone another way. Engine side. See tree_search.h.
#include <algorithm>

#include "base/rng.h"
#include "policy/dfs_step.h"
#include "search/tree_search.h"

namespace raddle::search {
namespace {

using wire::VerdictKind;

// As TreePolicy chooses.
ThreadId default_pick(const wire::ChoiceSets& sets, Mask asleep) {
  Mask candidates = sets.enabled & ~asleep;
  if ((candidates & mask_of(sets.current)) != 0) return sets.current;
  return candidates == 0 ? kNoThread : static_cast<ThreadId>(__builtin_ctzll(candidates));
}

// Whether the run ended by what its last step did, not because nobody could go on. A deadlock may
// be a circle of some, beside which others could.
bool ended_by_last_step(const facts::Run& run) {
  switch (run.verdict.kind) {
    case VerdictKind::schedule_deadlock:
    case VerdictKind::limit:
    case VerdictKind::blocked:
    case VerdictKind::idle:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::uint32_t TreeSearch::first_new_step() const {
  const ExecutionTree::Node& node = tree_.at(node_);
  return node.is_root() ? 0 : execution_.step_of(node.choice);
}

void TreeSearch::expand(const facts::Run& run) {
  for (const wire::ChoiceRecord& made : execution_.choices())
    wide_ = wide_ || made.enabled == policy::kDfsWide;
  if (options_.ways == Ways::reversals) {
    expand_values();
    return expand_reversals(ended_by_last_step(run));
  }
  std::size_t choices = execution_.choices().size();
  asked_.assign(choices, 0);
  doubtful_.assign(choices, 0);
  if (options_.priority.uses("dpor") || options_.priority.uses("mdpor"))
    for (const Reversal& r : reversals_.find(execution_, first_new_step(), ended_by_last_step(run)))
      (r.conservative ? doubtful_ : asked_)[r.choice] |= mask_of(r.wanted);
  expand_all();
}

// The sleep set with which the thread's step at that choice begins, if `sleepers` slept there.
Mask TreeSearch::sleep_after(std::uint32_t choice, Mask sleepers, ThreadId thread) const {
  sleepers &= ~mask_of(thread);
  if (sleepers == 0) return 0;
  std::uint32_t step = execution_.step_of(choice);
  auto ops = execution_.next_step(thread, step);
  Mask result = 0;
  for (Mask left = sleepers; left != 0; left &= left - 1) {
    auto sleeper = static_cast<ThreadId>(__builtin_ctzll(left));
    if (!any_dependent(execution_.next_step(sleeper, step), ops)) result |= mask_of(sleeper);
  }
  return result;
}

// What picking the thread there costs of the bound.
std::uint32_t TreeSearch::cost(std::uint32_t choice, ThreadId thread) const {
  if (options_.bound_kind == BoundKind::preemptions)
    return execution_.preempts(choice, thread) ? 1 : 0;
  if (options_.bound_kind == BoundKind::none) return 0;
  // Delays (Emmi, Qadeer, Rakamaric, POPL 2011): as many as candidates are passed over, in the
  // order of their numbers, beginning with the default.
  if (thread >= wire::kSearchedThreads) return 0;
  const wire::ChoiceSets& sets = execution_.sets(choice);
  std::uint32_t passed = 0;
  ThreadId first = default_pick(sets, 0);
  for (unsigned t = first == kNoThread ? 0 : first; t % wire::kSearchedThreads != thread; ++t)
    passed += (sets.enabled & mask_of(static_cast<ThreadId>(t % wire::kSearchedThreads))) != 0;
  return passed;
}

void TreeSearch::expand_all() {
  auto choices = static_cast<std::uint32_t>(execution_.choices().size());
  std::uint32_t spent = 0;
  bool sleeps = options_.priority.uses("ss");
  Mask asleep = sleep_[node_];
  std::uint32_t first_new = tree_.first_new_choice(node_);
  std::uint32_t step = first_new_step() + 1;
  for (std::uint32_t c = 0; c < choices; ++c) {
    const wire::ChoiceRecord& made = execution_.choices()[c];
    bool value = execution_.is_value(c);
    if (c >= first_new && sleeps) {
      if (tree_.at(node_).is_root() && step == 1) step = 0;
      for (; step < execution_.step_of(c); ++step)
        for (Mask left = asleep; left != 0; left &= left - 1) {
          auto t = static_cast<ThreadId>(__builtin_ctzll(left));
          const Execution::Step& past = execution_.steps()[step];
          if (past.thread == t ||
              any_dependent(execution_.next_step(t, step), execution_.ops(past)))
            asleep &= ~mask_of(t);
        }
    }
    if (c >= first_new && value) {
      for (std::uint32_t v = 0; v < made.enabled; ++v)
        if (v != made.picked) add(node_, alternative(c, static_cast<std::uint16_t>(v)), asleep);
    } else if (c >= first_new) {
      Mask tried = mask_of(made.picked) | asleep;
      for (Mask left = execution_.sets(c).enabled & ~mask_of(made.picked); left != 0;
           left &= left - 1) {
        auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
        if (options_.bound_kind != BoundKind::none && spent + cost(c, thread) > options_.bound)
          continue;
        Alternative other = alternative(c, thread);
        other.by_dpor = ((asked_[c] | doubtful_[c]) & mask_of(thread)) != 0;
        other.conservative = (asked_[c] & mask_of(thread)) == 0;
        other.asleep = (asleep & mask_of(thread)) != 0;
        add(node_, other, sleeps ? sleep_after(c, tried, thread) : 0);
        tried |= mask_of(thread);
      }
    }
    if (!value) spent += cost(c, made.picked);
  }
}

void TreeSearch::expand_values() {
  auto choices = static_cast<std::uint32_t>(execution_.choices().size());
  for (std::uint32_t c = tree_.first_new_choice(node_); c < choices; ++c) {
    if (!execution_.is_value(c)) continue;
    const wire::ChoiceRecord& made = execution_.choices()[c];
    for (std::uint32_t v = 0; v < made.enabled; ++v)
      if (v != made.picked)
        add(node_, alternative(c, static_cast<std::uint16_t>(v)), execution_.sets(c).asleep);
  }
}

void TreeSearch::expand_reversals(bool ended_early) {
  for (const Reversal& reversal : reversals_.find(execution_, first_new_step(), ended_early))
    add_reversal(reversal);
}

void TreeSearch::add_reversal(const Reversal& reversal) {
  Mask asleep = execution_.asleep(reversal.choice);
  NodeId owner = tree_.owner(node_, reversal.choice);
  auto [entry, fresh] = done_.try_emplace({owner, reversal.choice}, 0);
  if (fresh) entry->second = mask_of(default_pick(execution_.sets(reversal.choice), asleep));
  Mask& done = entry->second;
  if ((reversal.initials & (done | asleep)) != 0) return;
  Alternative other = alternative(reversal.choice, reversal.wanted);
  other.by_dpor = true;
  other.conservative = reversal.conservative;
  add(owner, other, sleep_after(reversal.choice, done | asleep, reversal.wanted));
  done |= mask_of(reversal.wanted);
}

Alternative TreeSearch::alternative(std::uint32_t choice, std::uint16_t pick) {
  return {.execution = execution_,
          .choice = choice,
          .pick = pick,
          .is_value = execution_.is_value(choice),
          .by_dpor = false,
          .conservative = false,
          .asleep = false,
          .random = mix64(learned_.options().seed * 0x9e3779b97f4a7c15ull + added_),
          .focus = learned_.options().focus};
}

void TreeSearch::add(NodeId parent, const Alternative& way, Mask asleep) {
  Delta delta{way.choice, way.pick, execution_.choices()[way.choice].enabled, way.is_value};
  NodeId node = tree_.add(parent, delta);
  if (sleep_.size() < tree_.slots()) sleep_.resize(tree_.slots());
  sleep_[node] = asleep;
  ++added_;
  added_now_.push_back({node, way.choice});
  // Depth first: the deepest first, whenever it was found.
  std::uint64_t priority =
      options_.priority.empty() ? kNone - way.choice : options_.priority.of(way);
  fringe_.push(node, priority);
}

}  // namespace raddle::search
