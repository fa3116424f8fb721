// SPDX-License-Identifier: Apache-2.0
//
// ThreadWeights: the events left in every thread, by the counts of the plan, and drawing threads in
// proportion to them. What urw and surw have in common. Target side, built for both.
//
// invariant: left(t) = events expected of t and of the threads it has yet to create, minus those
// spent on t.
#pragma once

#include "base/rng.h"
#include "policy/policy.h"

namespace raddle::policy {

class ThreadWeights {
 public:
  void begin(const PlanView& view) {
    weights_ = view.weights;
    known_ = view.interest == nullptr ? 0 : view.interest->weight_count;
    seen_ = 0;
  }

  // Makes threads known that have been created since; calls created(thread, creator) for each whose
  // creator is known, after the creator's weight has been divided between them.
  template <class Created>
  void admit(ThreadId thread_count, Created created) {
    for (; seen_ < thread_count; ++seen_) {
      left_[seen_] = 0;
      if (seen_ >= known_) continue;
      const wire::ThreadWeight& weight = weights_[seen_];
      left_[seen_] = weight.events;
      if (weight.creator >= seen_) continue;
      take(left_[weight.creator], weight.events);
      created(seen_, weight.creator);
    }
  }
  void admit(ThreadId thread_count) {
    admit(thread_count, [](ThreadId, ThreadId) {});
  }

  std::uint32_t left(ThreadId t) const { return left_[t]; }
  void spend(ThreadId t) { take(left_[t], 1); }

 private:
  static void take(std::uint32_t& from, std::uint32_t amount) {
    from -= from < amount ? from : amount;
  }

  const wire::ThreadWeight* weights_ = nullptr;
  std::uint32_t known_ = 0;
  ThreadId seen_ = 0;
  std::uint32_t left_[kMaxThreads];  // set for ids below seen_
};

// A member of the set, in proportion to weight(t); kNoThread if all weights are zero.
template <class Weight>
ThreadId draw_weighted(Rng& rng, const ThreadSet& threads, Weight weight) {
  std::uint64_t total = 0;
  threads.for_each([&](ThreadId t) { total += weight(t); });
  if (total == 0) return kNoThread;
  // Multiply-shift as in Rng::below, for sums that need more than 32 bits.
  auto at = static_cast<std::uint64_t>((static_cast<unsigned __int128>(rng.next()) * total) >> 64);
  ThreadId drawn = kNoThread;
  threads.for_each([&](ThreadId t) {
    if (drawn != kNoThread) return;
    std::uint64_t w = weight(t);
    if (at < w)
      drawn = t;
    else
      at -= w;
  });
  return drawn;
}

}  // namespace raddle::policy
