// SPDX-License-Identifier: Apache-2.0
//
// The machine that runs toy programs. Tests only.
#include "testing/toy_run.h"

#include <cstring>

#include "base/check.h"

namespace raddle::toy {
namespace {

using model::PendingOp;
using model::SyncObject;
using model::ThreadView;
using wire::OpKind;

constexpr std::uint32_t kDefaultMaxSteps = 10000;

// Every object occupies its own 16 bytes.
std::uintptr_t address_of(unsigned object) { return 0x1000 + 16 * std::uintptr_t{object}; }

wire::Location locate(std::uintptr_t address) {
  return wire::make_location(wire::Region::global, 0, static_cast<std::uint32_t>(address));
}

struct Thread {
  unsigned body = 0;
  unsigned pc = 0;
  std::int64_t reg = 0;
  bool woken = false;        // a waiter that was signalled
  std::uint32_t ticket = 0;  // round of the barrier it arrived at
  bool finished = false;
};

class Machine {
 public:
  Machine(const Program& program, policy::Policy& policy, const Conditions& conditions);
  Outcome run();

 private:
  void start(unsigned body);
  void publish(ThreadId t, OpKind kind);
  void publish_next(ThreadId t);
  bool can_run(ThreadId t) const;
  void update_enabled();
  void note_sets(std::uint64_t enabled);
  ThreadId choose();
  void carry_out(ThreadId t);
  void carry_out_memory(ThreadId t, const Op& op);
  void carry_out_sync(ThreadId t, const Op& op);
  void carry_out_other(ThreadId t, const Op& op);
  void wake(unsigned condvar, bool all);
  std::int64_t value_of(ThreadId t, const Operand& operand) const {
    return operand.number + (operand.from_register ? threads_[t].reg : 0);
  }
  const Op& op_of(ThreadId t) const {
    return program_.bodies[threads_[t].body].ops[threads_[t].pc];
  }

  const Program& program_;
  policy::Policy& policy_;
  wire::Plan plan_;
  wire::Interest interest_;
  const Conditions& conditions_;
  policy::FilterChain filters_;
  std::vector<Thread> threads_;
  std::vector<ThreadView> views_;
  std::vector<std::int64_t> variables_;
  std::vector<SyncObject> objects_;
  std::vector<ThreadId> waiters_;  // of all condvars, oldest first
  ThreadSet enabled_;
  ThreadId current_ = kNoThread;
  StepIndex step_ = 0;
  bool ended_ = false;
  Outcome result_;
};

Machine::Machine(const Program& program, policy::Policy& policy, const Conditions& conditions)
    : program_(program),
      policy_(policy),
      plan_(conditions.plan),
      interest_(conditions.interest),
      conditions_(conditions) {
  for (policy::Filter* filter : conditions.filters) filters_.add(*filter);
  interest_.weight_count = static_cast<std::uint32_t>(conditions.weights.size());
  if (plan_.max_steps == 0) plan_.max_steps = kDefaultMaxSteps;
  for (const Object& object : program.objects) {
    variables_.push_back(object.initial);
    SyncObject& state = objects_.emplace_back();
    state.kind = object.kind;
    auto number = static_cast<std::uint32_t>(object.initial);
    if (object.kind == model::ObjectKind::rwlock) state.rwlock = {};
    if (object.kind == model::ObjectKind::semaphore) state.semaphore = {number};
    if (object.kind == model::ObjectKind::barrier) state.barrier = {number, 0, 0};
  }
  for (unsigned b = 0; b < program.bodies.size(); ++b)
    if (!program.bodies[b].spawned) start(b);
}

void Machine::start(unsigned body) {
  auto t = static_cast<ThreadId>(threads_.size());
  threads_.push_back({.body = body});
  views_.push_back({});
  views_[t].enabled_since = step_;
  publish_next(t);
}

void Machine::publish(ThreadId t, OpKind kind) {
  const Op& op = op_of(t);
  PendingOp& pending = views_[t].op;
  std::uint32_t serial = pending.serial + 1;
  pending = {};
  // A pending value choice is a step like others; OpKind::value is for the record of its value.
  pending.kind = kind == OpKind::value ? OpKind::tick : kind;
  pending.serial = serial;
  pending.site = threads_[t].body * 1000 + threads_[t].pc + 1;
  if (kind == OpKind::thread_create || kind == OpKind::thread_join) return;
  if (op.kind == OpKind::fence || op.kind == OpKind::yield || op.kind == OpKind::value) return;
  pending.address = address_of(op.object);
  if (wire::is_memory_access(kind)) pending.size = 4;
  if (op.kind == OpKind::cond_wait) pending.second = address_of(op.second);
  if (kind == OpKind::rwlock_unlock && objects_[op.object].rwlock.writer != t)
    pending.order = wire::kReadSide;
}

void Machine::publish_next(ThreadId t) {
  threads_[t].finished = threads_[t].pc == program_.bodies[threads_[t].body].ops.size();
  if (!threads_[t].finished) return publish(t, op_of(t).kind);
  views_[t].op = {.kind = OpKind::thread_exit, .serial = views_[t].op.serial + 1};
}

bool Machine::can_run(ThreadId t) const {
  const Thread& thread = threads_[t];
  if (thread.finished) return false;
  const Op& op = op_of(t);
  OpKind kind = views_[t].op.kind;
  if (kind == OpKind::cond_wake) return thread.woken && model::grants(objects_[op.second], kind, t);
  if (kind == OpKind::thread_join) {
    for (const Thread& other : threads_)
      if (other.body == op.object) return other.finished;
    return false;
  }
  bool has_object = views_[t].op.address != 0;
  return !has_object || model::grants(objects_[op.object], kind, t, thread.ticket);
}

void Machine::update_enabled() {
  for (ThreadId t = 0; t < threads_.size(); ++t) {
    bool can = can_run(t);
    if (can && !enabled_.contains(t)) {
      enabled_.add(t);
      views_[t].enabled_since = step_;  // the number of the step that enabled it
    } else if (!can) {
      enabled_.remove(t);
    }
  }
}

// As the runtime does before it asks the policy.
void Machine::note_sets(std::uint64_t enabled) {
  // At the very beginning nobody has run, so that nobody can be preempted.
  bool voluntary = current_ != kNoThread && views_[current_].yielding;
  result_.sets.push_back({enabled, policy_.asleep(), result_.preemptions, current_,
                          static_cast<std::uint8_t>(voluntary ? 1 : 0), 0});
}

ThreadId Machine::choose() {
  auto count = static_cast<ThreadId>(threads_.size());
  auto only = [&](ThreadId t) {
    bool goes_on = !policy_.counts_steps() ||
                   policy_.took({enabled_, views_.data(), count, current_, step_}, t);
    return goes_on ? t : kNoThread;
  };
  if (enabled_.size() == 1) return only(enabled_.first());
  ThreadSet allowed = enabled_;
  if (filters_.narrow({enabled_, views_.data(), count, current_, step_}, allowed) != 0)
    ++result_.cuts;
  unsigned options = allowed.size();
  if (options == 1) return only(allowed.first());
  note_sets(allowed.first_word());
  ThreadId picked = policy_.pick({allowed, views_.data(), count, current_, step_});
  if (picked == kNoThread) {
    result_.sets.pop_back();
    return picked;
  }
  RADDLE_CHECK(allowed.contains(picked));
  result_.choices.push_back({step_, picked, views_[picked].op.kind,
                             static_cast<std::uint8_t>(options < 255 ? options : 255)});
  return picked;
}

void Machine::wake(unsigned condvar, bool all) {
  std::vector<ThreadId> left;
  bool one = false;
  for (ThreadId t : waiters_) {
    bool woken = op_of(t).object == condvar && (all || !one);
    if (woken)
      one = threads_[t].woken = true;
    else
      left.push_back(t);
  }
  waiters_ = left;
}

void Machine::carry_out_memory(ThreadId t, const Op& op) {
  std::int64_t& x = variables_[op.object];
  std::int64_t& reg = threads_[t].reg;
  switch (op.kind) {
    case OpKind::plain_read:
    case OpKind::atomic_load:
      reg = x;
      if (op.form == Form::assertion && x != value_of(t, op.a)) {
        result_.end = End::assertion;
        ended_ = true;
      }
      break;
    case OpKind::plain_write:
    case OpKind::atomic_store:
      x = value_of(t, op.a);
      break;
    case OpKind::atomic_rmw:
      reg = x++;
      break;
    default: {
      bool equal = x == value_of(t, op.a);
      if (equal) x = value_of(t, op.b);
      reg = equal;
    }
  }
}

void Machine::carry_out_sync(ThreadId t, const Op& op) {
  SyncObject& object = objects_[op.object];
  Thread& thread = threads_[t];
  SiteId site = views_[t].op.site;
  switch (views_[t].op.kind) {
    case OpKind::mutex_lock:
      RADDLE_CHECK(object.mutex.lock(t, site) == 0);
      break;
    case OpKind::mutex_try_lock:
      thread.reg = object.mutex.try_lock(t, site) == 0;
      break;
    case OpKind::mutex_unlock:
      object.mutex.unlock(t);
      break;
    case OpKind::rwlock_read:
      object.rwlock.lock_read(t);
      break;
    case OpKind::rwlock_write:
      object.rwlock.lock_write(t, site);
      break;
    case OpKind::rwlock_unlock:
      object.rwlock.unlock(t);
      break;
    case OpKind::cond_wait:
      objects_[op.second].mutex.unlock(t);
      thread.woken = false;
      waiters_.push_back(t);
      break;
    case OpKind::cond_wake:
      RADDLE_CHECK(objects_[op.second].mutex.lock(t, site) == 0);
      break;
    case OpKind::cond_signal:
    case OpKind::cond_broadcast:
      wake(op.object, op.kind == OpKind::cond_broadcast);
      break;
    case OpKind::sem_wait:
      object.semaphore.take();
      break;
    case OpKind::sem_try_wait:
      thread.reg = object.semaphore.try_take() == 0;
      break;
    case OpKind::sem_post:
      object.semaphore.post();
      break;
    case OpKind::barrier_arrive:
      thread.ticket = object.barrier.arrive().round;
      break;
    default:
      break;  // barrier_leave changes nothing
  }
}

void Machine::carry_out_other(ThreadId t, const Op& op) {
  if (op.kind == OpKind::thread_create) start(op.object);
  if (op.kind != OpKind::value) return;
  auto bound = static_cast<std::uint32_t>(op.a.number);
  note_sets(0);
  std::uint32_t value = policy_.value(bound, step_);
  if (value == bound) {
    result_.sets.pop_back();
    result_.end = End::stopped;
    ended_ = true;
    return;
  }
  RADDLE_CHECK(value < bound);
  threads_[t].reg = value;
  result_.choices.push_back({step_, static_cast<std::uint16_t>(value), OpKind::value,
                             static_cast<std::uint8_t>(bound < 255 ? bound : 255)});
}

void Machine::carry_out(ThreadId t) {
  const Op& op = op_of(t);
  bool second_half = is_second_half(views_[t].op.kind);
  if (current_ != kNoThread && current_ != t) {
    ++result_.switches;
    if (enabled_.contains(current_) && !views_[current_].yielding) ++result_.preemptions;
  }
  result_.steps.push_back(
      {t, threads_[t].body, threads_[t].pc, views_[t].op, false, views_[t].yielding});
  ++step_;
  wire::OpClass op_class = wire::op_class(op.kind);
  if (wire::is_memory_access(op.kind))
    carry_out_memory(t, op);
  else if (op_class == wire::OpClass::sync || op_class == wire::OpClass::shared)
    carry_out_sync(t, op);
  else
    carry_out_other(t, op);
  bool tries = op.kind == OpKind::mutex_try_lock || op.kind == OpKind::sem_try_wait;
  result_.steps.back().failed = tries && threads_[t].reg == 0;
  bool in_vain = op.form == Form::spin && threads_[t].reg != value_of(t, op.a);
  ThreadView& view = views_[t];
  view.last_run = step_;
  view.yielding = in_vain || op.kind == OpKind::yield;
  view.yielded_at = step_;
  current_ = t;
  if (in_vain) return publish(t, op.kind);
  if (op.kind == OpKind::cond_wait && !second_half) return publish(t, OpKind::cond_wake);
  if (op.kind == OpKind::barrier_arrive && !second_half) return publish(t, OpKind::barrier_leave);
  ++threads_[t].pc;
  publish_next(t);
  if (threads_[t].finished) view.yielding = false;
}

Outcome Machine::run() {
  policy_.begin(
      {plan_, view_of(conditions_.steering), &interest_, conditions_.weights.data(), &locate});
  update_enabled();
  while (!ended_ && !enabled_.empty()) {
    if (step_ == plan_.max_steps) {
      result_.end = End::limit;
      break;
    }
    ThreadId t = choose();
    if (t == kNoThread) {
      result_.end = policy_.blocked() ? End::blocked : End::stopped;
      break;
    }
    carry_out(t);
    update_enabled();
  }
  if (!ended_ && enabled_.empty())
    for (const Thread& thread : threads_)
      if (!thread.finished) result_.end = End::deadlock;
  for (ThreadId t = 0; t < threads_.size(); ++t) {
    bool did_it = ended_ && t == current_;
    if (threads_[t].finished || did_it) continue;
    result_.pending.emplace_back(t, views_[t].op);
    if (views_[t].yielding && t < wire::kSearchedThreads)
      result_.giving_way |= std::uint64_t{1} << t;
  }
  for (unsigned i = 0; i < program_.objects.size(); ++i)
    if (program_.objects[i].kind == model::ObjectKind::none)
      result_.variables[program_.objects[i].name] = variables_[i];
  return std::move(result_);
}

}  // namespace

wire::Location location_of(const Program& program, std::string_view object) {
  for (unsigned i = 0; i < program.objects.size(); ++i)
    if (program.objects[i].name == object) return locate(address_of(i));
  RADDLE_CHECK(!"the program has an object of that name");
  return {};
}

wire::Plan plan_for(const char* policy, std::uint64_t seed, std::uint32_t depth,
                    std::uint32_t expected_steps) {
  wire::Plan plan;
  RADDLE_CHECK(std::strlen(policy) < sizeof(plan.policy));
  std::strcpy(plan.policy, policy);
  plan.seed = seed;
  plan.depth = depth;
  plan.expected_steps = expected_steps;
  return plan;
}

Outcome run(const Program& program, policy::Policy& policy, const Conditions& conditions) {
  return Machine(program, policy, conditions).run();
}

Outcome Runner::run(const Conditions& conditions) {
  policy::Policy* policy =
      policy::make_policy(conditions.plan, view_of(conditions.steering).header(), *storage_);
  RADDLE_CHECK(policy != nullptr);
  return toy::run(program_, *policy, conditions);
}

}  // namespace raddle::toy
