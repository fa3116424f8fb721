// SPDX-License-Identifier: Apache-2.0
//
// LockCyclePolicy: tries to lead a run into a deadlock that an analysis holds for possible. Target
// side, built for both.
//
// The idea is that of DeadlockFuzzer (Joshi, Park, Sen, Naik, "A Randomized Dynamic Program
// Analysis Technique for Detecting Real Deadlocks", PLDI 2009): a thread of the cycle that holds
// its lock and is about to ask for the next one is held back until the others have come to theirs.
// When the last one has taken its lock, nobody can go on.
//
// The plan says what the cycle is (wire::CycleMember). With seed 0 its threads go in the order of
// the members, each as far as it gets, before all others; with any other seed everybody goes at
// random.
//
// A thread is let go when everybody who could run is held back, or after kPatience steps, as
// somebody may spin until it moves; it is held back again when it comes to its lock the next time.
//
// Differences from the paper: threads and locks are known by number, not by abstractions of where
// they were created, since the run is deterministic but for the threads held back; thrashing is
// resolved by the seed and by other orders, not by yields.
#pragma once

#include "base/rng.h"
#include "policy/policy.h"

namespace raddle::policy {

class LockCyclePolicy final : public Policy {
 public:
  static constexpr StepIndex kPatience = 1000;

  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;
  bool counts_steps() const override { return true; }
  bool took(const Choice& choice, ThreadId thread) override;

 private:
  struct Member {
    ThreadId thread;
    wire::Location lock;
    wire::Location next;
    std::uint32_t depth;   // how often it has taken its lock
    std::uint32_t serial;  // of the operation that it is held back at, or was let go with
    StepIndex since;       // it is held back
    bool let_go;           // with that operation
  };

  bool is_at(std::uintptr_t address, wire::Location where) const;
  bool held_back(Member& member, const Choice& choice);
  ThreadId among(const ThreadSet& candidates, const Choice& choice);

  Rng rng_;
  bool random_ = false;
  wire::Location (*locate_)(std::uintptr_t) = nullptr;
  std::uint32_t count_ = 0;
  Member members_[wire::kCycleMax];
  ThreadSet free_;  // those that are not held back
};

}  // namespace raddle::policy
