// SPDX-License-Identifier: Apache-2.0
//
// UrwPolicy: the uniform random walk (Zhao, Wolff, Mathur, Roychoudhury, "Selectively Uniform
// Concurrency Testing", ASPLOS 2025). Target side, built for both.
//
// An enabled thread is chosen with a probability in proportion to the events that are left in it,
// which earlier runs have counted. Of the interleavings of n_1, n_2, ... events that begin with
// thread i there are as many as n_i / sum n_j of all, so that every interleaving is equally likely
// if the counts are right and nothing ever blocks. A random walk, in contrast, prefers those in
// which short threads end early.
//
// A thread's weight includes the events of the threads that it has yet to create: they could come
// first as soon as it has got that far.
//
// Differences from the paper:
// - A thread that goes on after its count has run out has a weight of one, so that it is not kept
//   waiting for everybody else. With counts that are right there is no such thread.
// - Threads are told apart by the order of their creation. If several threads create threads, other
//   runs may number them otherwise, and the counts are those of a neighbour.
// - A thread that a filter or an early timer wakes for a step it then cannot make is counted as if
//   it had made it.
#pragma once

#include "base/rng.h"
#include "policy/policy.h"
#include "policy/thread_weights.h"

namespace raddle::policy {

class UrwPolicy final : public Policy {
 public:
  void begin(const PlanView& view) override;
  ThreadId pick(const Choice& choice) override;
  std::uint32_t value(std::uint32_t bound, StepIndex step) override;
  bool counts_steps() const override { return true; }
  bool took(const Choice& choice, ThreadId thread) override;

 private:
  Rng rng_;
  ThreadWeights weights_;
};

}  // namespace raddle::policy
