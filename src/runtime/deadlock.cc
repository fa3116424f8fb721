// SPDX-License-Identifier: Apache-2.0
//
// The wait-for graph. Target side. An edge leads from a blocked thread to every thread that must
// act before it can go on: the owner of a mutex, the writer or any reader of a rwlock, the thread
// running a once, the thread being joined. All of them must act, so one cycle is enough. Threads
// with a deadline, and those waiting for a notification, have no edges: somebody else may help
// them.
#include "runtime/deadlock.h"

#include "runtime/events.h"
#include "runtime/fatal.h"
#include "runtime/leftovers.h"

namespace raddle::runtime {
namespace {

// Which threads the search has been at, by the number of the search: no clearing needed.
std::uint32_t visited[kMaxThreads];
std::uint32_t search_number;

bool holds(const Fiber& fiber, const SyncObject& object) {
  for (unsigned i = 0; i < fiber.held_count; ++i)
    if (fiber.held[i].object == &object) return true;
  return false;
}

bool is_stuck(const Fiber& fiber) {
  return fiber.state == FiberState::alive && fiber.deadline_ns == 0 &&
         !g.enabled.contains(fiber.id);
}

template <class Visit>
bool any_edge(const Fiber& fiber, Visit leads_to_cycle) {
  const model::PendingOp& op = view_of(fiber).op;
  if (op.kind == wire::OpKind::thread_join && fiber.on_cond) return leads_to_cycle(op.other);
  if (fiber.on_cond || fiber.object == nullptr) return false;
  ThreadId holder = model::holder(*fiber.object, op.kind, fiber.id);
  if (holder != kNoThread) return leads_to_cycle(holder);
  if (fiber.object->kind != model::ObjectKind::rwlock) return false;
  for (ThreadId id = 0; id < g.thread_count; ++id)
    if (g.fibers[id].state == FiberState::alive && holds(g.fibers[id], *fiber.object) &&
        leads_to_cycle(id))
      return true;
  return false;
}

bool reaches(ThreadId from, ThreadId goal) {
  if (from == goal) return true;
  if (visited[from] == search_number || !is_stuck(g.fibers[from])) return false;
  visited[from] = search_number;
  if (!any_edge(g.fibers[from], [&](ThreadId next) { return reaches(next, goal); })) return false;
  mark_in_cycle(from);
  return true;
}

}  // namespace

ThreadId waits_for(const Fiber& fiber) {
  ThreadId found = kNoThread;
  if (fiber.state == FiberState::alive && !g.enabled.contains(fiber.id))
    any_edge(fiber, [&](ThreadId next) {
      found = next;
      return true;
    });
  return found;
}

void check_for_cycle(Fiber& fiber) {
  ++search_number;
  if (!any_edge(fiber, [&](ThreadId next) { return reaches(next, fiber.id); })) return;
  mark_in_cycle(fiber.id);
  end_run({.kind = wire::VerdictKind::deadlock});
}

void report_global_deadlock() {
  if (g.awaits_all && !anybody_paused()) report_endless_thread();
  if (anybody_paused() && standstill_is_fine()) end_infeasible_run();
  end_run({.kind = anybody_paused() ? wire::VerdictKind::schedule_deadlock
                                    : wire::VerdictKind::deadlock});
}

}  // namespace raddle::runtime
