// SPDX-License-Identifier: Apache-2.0
//
// See toy_search.h. Tests only.
#include "testing/toy_search.h"

#include "policy/fairness.h"
#include "testing/toy_enumerate.h"

namespace raddle::search {
namespace {

using wire::OpKind;

wire::Location locate(std::uintptr_t address) {
  return address == 0
             ? wire::Location{}
             : wire::make_location(wire::Region::global, 0, static_cast<std::uint32_t>(address));
}

wire::Event event_of(ThreadId thread, StepIndex step, const model::PendingOp& op,
                     std::uint8_t flags) {
  wire::Event event{};
  event.where = locate(op.address);
  event.site = op.site;
  event.step = step;
  event.thread = thread;
  event.kind = op.kind;
  event.flags = flags;
  event.size = op.size;
  event.order = op.order;
  return event;
}

}  // namespace

std::vector<wire::Event> toy_events(const toy::Program& program, const toy::Outcome& outcome) {
  std::vector<wire::Event> events;
  std::vector<ThreadId> thread_of_body(program.bodies.size(), kNoThread);
  ThreadId threads = 0;
  for (unsigned b = 0; b < program.bodies.size(); ++b)
    if (!program.bodies[b].spawned) thread_of_body[b] = threads++;
  for (StepIndex i = 0; i < outcome.steps.size(); ++i) {
    const toy::Step& step = outcome.steps[i];
    const toy::Op& op = program.bodies[step.body].ops[step.op];
    wire::Event event = event_of(step.thread, i, step.what, wire::kEventStep);
    if (step.failed) event.flags |= wire::kEventFailed;
    if (step.gave_way) event.flags |= wire::kEventGaveWay;
    if (op.kind == OpKind::thread_create) thread_of_body[op.object] = threads++;
    if (op.kind == OpKind::thread_create || op.kind == OpKind::thread_join)
      event.value = wire::pack_caller(0, thread_of_body[op.object]);
    events.push_back(event);
    if (step.what.second == 0) continue;
    // As the runtime says what a wait does to the mutex.
    model::PendingOp lock = step.what;
    lock.kind = step.what.kind == OpKind::cond_wait ? OpKind::mutex_unlock : OpKind::mutex_lock;
    lock.address = step.what.second;
    events.push_back(event_of(step.thread, i, lock, 0));
  }
  for (const auto& [thread, op] : outcome.pending) {
    wire::Event event = event_of(thread, static_cast<StepIndex>(outcome.steps.size()), op, 0);
    event.kind = OpKind::pending;
    event.order = static_cast<std::uint8_t>(op.kind);
    event.reserved = op.order;
    if (thread < wire::kSearchedThreads && (outcome.giving_way >> thread & 1) != 0)
      event.flags |= wire::kEventGaveWay;
    event.value = op.second == 0 ? 0 : locate(op.second).key();
    events.push_back(event);
  }
  return events;
}

ToyTarget::ToyTarget(std::string_view text)
    : runner_(std::make_shared<toy::Runner>(text)),
      fairness_(std::make_shared<policy::FairnessFilter>()),
      last_(std::make_shared<toy::Outcome>()) {}

ToyRun ToyTarget::operator()(const facts::Plan& plan, std::uint64_t) {
  *last_ = runner_->run({plan.header, plan.steering, {fairness_.get()}});
  ToyRun run = toy_exit(0, static_cast<std::uint32_t>(last_->steps.size()));
  run.events = toy_events(program(), *last_);
  run.choices = last_->choices;
  run.sets = last_->sets;
  run.fairness_cuts = last_->cuts;
  run.thread_count = static_cast<std::uint32_t>(program().bodies.size());
  run.too_many_threads = run.thread_count > wire::kSearchedThreads;
  switch (last_->end) {
    case toy::End::complete:
      break;
    case toy::End::deadlock:
      run.verdict.kind = wire::VerdictKind::deadlock;
      break;
    case toy::End::assertion:
      run.verdict.kind = wire::VerdictKind::assertion;
      break;
    case toy::End::limit:
      run.verdict.kind = wire::VerdictKind::limit;
      break;
    case toy::End::stopped:
      run.verdict.kind = wire::VerdictKind::divergence;
      break;
    case toy::End::blocked:
      run.verdict.kind = wire::VerdictKind::blocked;
      break;
  }
  return run;
}

bool for_each_run(Search& search, ToyTarget& target, std::uint64_t runs_max,
                  const std::function<void(const toy::Outcome&)>& visit) {
  FakeExecutor executor(std::ref(target));
  for (std::uint64_t i = 0; i < runs_max; ++i) {
    auto plan = search.next();
    if (!plan) return true;
    search.observe(*executor.run(*plan));
    executor.plans.clear();
    visit(target.last());
  }
  return false;
}

std::string failed_step(const toy::Program& program, const toy::Outcome& outcome) {
  const toy::Step& step = outcome.steps.back();
  return program.bodies[step.body].name + ": " + program.bodies[step.body].ops[step.op].text;
}

ToyFindings explore(Search& search, std::string_view text, std::uint64_t runs_max) {
  ToyTarget target(text);
  ToyFindings found;
  found.finished = for_each_run(search, target, runs_max, [&](const toy::Outcome& last) {
    ++(last.end == toy::End::blocked ? found.blocked : found.runs);
    if (last.end == toy::End::complete) {
      found.states.insert(toy::state(last));
      found.classes.insert(toy::happens_before(target.program(), last));
    }
    if (last.end == toy::End::deadlock)
      found.deadlocks.insert(toy::happens_before(target.program(), last));
    if (last.end == toy::End::assertion)
      found.assertions.insert(failed_step(target.program(), last));
  });
  return found;
}

}  // namespace raddle::search
