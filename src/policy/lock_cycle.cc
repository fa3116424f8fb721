// SPDX-License-Identifier: Apache-2.0
//
// See lock_cycle.h.
#include "policy/lock_cycle.h"

namespace raddle::policy {
namespace {

using wire::OpKind;

// The lock that the operation asks for and waits for without end, or 0.
std::uintptr_t awaited(const model::PendingOp& op) {
  if (op.kind == OpKind::cond_wake) return op.second;
  bool waits = op.kind == OpKind::mutex_lock || op.kind == OpKind::rwlock_read ||
               op.kind == OpKind::rwlock_write;
  return waits ? op.address : 0;
}

}  // namespace

void LockCyclePolicy::begin(const PlanView& view) {
  rng_ = Rng(view.plan.seed);
  random_ = view.plan.seed != 0;
  locate_ = view.locate;
  count_ = 0;
  auto cycle = view.steering.rows<wire::SteeringKind::lock_cycle>();
  if (cycle.size() > wire::kCycleMax || locate_ == nullptr) return;
  for (std::size_t i = 0; i < cycle.size(); ++i)
    members_[i] = {.thread = cycle[i].thread,
                   .lock = cycle[i].lock,
                   .next = cycle[(i + 1) % cycle.size()].lock,
                   .depth = 0,
                   .serial = 0,
                   .since = 0,
                   .let_go = true};
  count_ = static_cast<std::uint32_t>(cycle.size());
}

bool LockCyclePolicy::is_at(std::uintptr_t address, wire::Location where) const {
  return address != 0 && locate_(address) == where;
}

// Keeps track of who holds what. What a try gets is not known before it is made; that it fails is
// unlikely, and a thread that is held back for nothing is let go.
bool LockCyclePolicy::took(const Choice& choice, ThreadId thread) {
  const model::PendingOp& op = choice.threads[thread].op;
  for (std::uint32_t i = 0; i < count_; ++i) {
    Member& member = members_[i];
    if (member.thread != thread) continue;
    if (wire::takes_lock(op.kind) && is_at(op.address, member.lock)) ++member.depth;
    if (op.kind == OpKind::cond_wake && is_at(op.second, member.lock)) ++member.depth;
    bool gives = ((op.kind == OpKind::mutex_unlock || op.kind == OpKind::rwlock_unlock) &&
                  is_at(op.address, member.lock)) ||
                 (op.kind == OpKind::cond_wait && is_at(op.second, member.lock));
    if (gives && member.depth > 0) --member.depth;
  }
  return true;
}

// Whether the thread holds its lock, is about to ask for the next one, and has to wait.
bool LockCyclePolicy::held_back(Member& member, const Choice& choice) {
  if (member.thread >= choice.thread_count || member.depth == 0) return false;
  const model::PendingOp& op = choice.threads[member.thread].op;
  if (!is_at(awaited(op), member.next)) return false;
  if (member.let_go && member.serial == op.serial) return false;
  if (member.let_go || member.serial != op.serial) {
    member.since = choice.step;
    member.serial = op.serial;
    member.let_go = false;
  }
  member.let_go = choice.step - member.since >= kPatience;
  return !member.let_go;
}

ThreadId LockCyclePolicy::pick(const Choice& choice) {
  free_ = choice.enabled;
  for (std::uint32_t i = 0; i < count_; ++i)
    if (held_back(members_[i], choice)) free_.remove(members_[i].thread);
  ThreadId picked = among(free_.empty() ? choice.enabled : free_, choice);
  for (std::uint32_t i = 0; i < count_; ++i)
    if (members_[i].thread == picked) members_[i].let_go = true;
  took(choice, picked);
  return picked;
}

// Requires: there are candidates.
ThreadId LockCyclePolicy::among(const ThreadSet& candidates, const Choice& choice) {
  if (random_) return candidates.nth(rng_.below(candidates.size()));
  for (std::uint32_t i = 0; i < count_; ++i)
    if (candidates.contains(members_[i].thread)) return members_[i].thread;
  return candidates.contains(choice.current) ? choice.current : candidates.first();
}

std::uint32_t LockCyclePolicy::value(std::uint32_t bound, StepIndex) {
  return random_ ? rng_.below(bound) : 0;
}

}  // namespace raddle::policy
