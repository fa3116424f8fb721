// SPDX-License-Identifier: Apache-2.0
//
// SurwPolicy: the selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury, "Selectively
// Uniform Concurrency Testing", ASPLOS 2025). Target side, built for both.
//
// The plan names a few variables and synchronisation objects; the operations on them (those of
// model/interest.h) are the interesting events. Their order is sampled uniformly, by the events
// left in each thread, however many others lie between them; the others go by independent random
// scores. So at any time one thread is intended to make the next interesting event:
// - it is drawn in proportion to the interesting events left in the enabled threads;
// - among the enabled threads that are not about to make an interesting event, or are the intended
//   one, the one whose pending operation has the highest score runs;
// - when it has made an interesting event, the next one is drawn; when it has created a thread, it
//   is drawn between the two, for its weight was that of both.
// With no variable named, everything is interesting, and the policy is urw.
//
// The paper keeps a set of threads held back since the last interesting event; such a thread stays
// at its interesting event until it is intended, so the set is the threads that the second rule
// leaves out, and need not be kept.
//
// Differences from the paper:
// - A thread at an interesting event that was not expected of it (the counts were too low) has a
//   weight of one, so that it is not held back for ever. When no interesting event is expected and
//   none pending, nobody is intended.
// - When the intended thread is blocked, finished, or held back by a filter, another one is drawn
//   among those that can run: progress comes before uniformity.
// - Threads are told apart by the order of their creation (see urw.h), heap variables by the number
//   of their allocation in the run: where threads compete in allocating, the events of another
//   variable may become the interesting ones.
// - An access belongs to the variable at its first byte. Taking a mutex again after waiting for a
//   condition counts as an event of the condition.
// - Which variables are named is the engine's business: search/profile.h.
#pragma once

#include "base/rng.h"
#include "policy/policy.h"
#include "policy/thread_weights.h"

namespace raddle::policy {

class SurwPolicy final : public Policy {
 public:
  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;
  bool counts_steps() const override { return true; }
  bool took(const Choice& choice, ThreadId thread) override;

 private:
  struct Entry {
    std::uint64_t score;
    std::uint32_t serial;  // of the operation that the others belong to
    bool interesting;
  };

  void admit(const Choice& choice);
  const Entry& entry_of(const Choice& choice, ThreadId t);
  bool is_interesting(const model::PendingOp& op) const;
  void intend(const Choice& choice);
  void account(const Entry& entry, ThreadId t);

  Rng rng_;
  const wire::Interest* interest_ = nullptr;  // null: everything
  wire::Location (*locate_)(std::uintptr_t) = nullptr;
  ThreadId intended_ = kNoThread;
  ThreadId seen_ = 0;
  ThreadWeights weights_;
  Entry entries_[kMaxThreads];  // invariant: set for ids below seen_
};

}  // namespace raddle::policy
