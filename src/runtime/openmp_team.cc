// SPDX-License-Identifier: Apache-2.0
//
// Teams of OpenMP: the pool, the beginning and the end of a region, barriers. Target side. See
// openmp.h.
//
// A barrier is complete when all members have arrived and no task of the team is left; members that
// wait there take tasks. At the barrier that ends a region only the first member waits for that:
// the others are idle from their arrival on, and take tasks until the team is dissolved.
#include <pthread.h>

#include "runtime/descriptors.h"
#include "runtime/emit.h"
#include "runtime/fatal.h"
#include "runtime/objects.h"
#include "runtime/openmp.h"
#include "runtime/spin.h"
#include "runtime/start.h"
#include "runtime/threads.h"

namespace raddle::runtime::openmp {
namespace {

constexpr unsigned kTeamsMax = 4096;
Team team_table[kTeamsMax];
unsigned teams_used;
Team* free_teams;
Thread threads[kMaxThreads];

}  // namespace

void reset() {
  if (teams_used == 0 && !threads[0].has_settings) return;
  for (ThreadId id = 0; id < g.thread_count; ++id) threads[id] = {};
  teams_used = 0;
  free_teams = nullptr;
  reset_tasks();
  reset_shares();
}

namespace {

SyncObject& bell_of(Thread& thread) {
  bool fresh;
  return object_in(&thread, &thread.bell, model::ObjectKind::futex, &fresh);
}

Team& new_team(std::uint32_t size) {
  Team* team = free_teams;
  if (team != nullptr)
    free_teams = team->next_free;
  else if (teams_used == kTeamsMax)
    refuse("OpenMP: more than 4096 teams at a time");
  else
    team = &team_table[teams_used++];
  *team = {};
  team->size = size;
  std::uintptr_t number = size > 1 ? number_descriptor(DescriptorKind::team) : 0;
  team->address = numbered_address(DescriptorKind::team, number);
  return *team;
}

void free_team(Team& team) {
  for (Share* share = team.shares; share != nullptr;) {
    Share& old = *share;
    share = share->next;
    free_share(old);
  }
  release_clock(team.arrivals[0]);
  release_clock(team.arrivals[1]);
  team.next_free = free_teams;
  free_teams = &team;
}

void join_team(Thread& me, Team& team, std::uint32_t member) {
  me.place = {};
  me.place.team = &team;
  me.place.member = member;
  me.place.task = &new_task(nullptr);
  me.settings = team.settings;
  me.has_settings = true;
  // The construct that a combined directive begins with was made for all of them.
  if (team.shares != nullptr && team.shares->number == 0) me.place.share = team.shares;
}

void leave_team(Thread& thread) {
  free_task(*thread.place.task);
  thread.place = {};
}

void arrive(Team& team, bool at_end, std::uintptr_t pc) {
  PendingOp& op = step(OpKind::barrier_arrive, team.address, pc);
  ++team.arrived;
  if (at_end) ++team.ended;
  if (races_wanted()) order_hand_on(team.arrivals[team.round % 2]);
  emit_step(op, with_caller());
}

bool is_complete(const Team& team) {
  // Some at a barrier and some at the end of the region: that is none of both, and for ever.
  bool together = team.ended == 0 || team.ended == team.size;
  return team.arrived == team.size && together && team.unfinished_tasks == 0;
}

// Requires: is_complete(team).
void complete(Team& team) {
  team.arrived = 0;
  ++team.round;
  for_each_member(team, [&](ThreadId id) {
    Thread& member = thread_of(id);
    if (team.ended != 0 && id != team.first) leave_team(member);
    if (member.rest == Rest::barrier && id != g.current->id) ring(id);
  });
}

// Waits for the end of the round, or helps to bring it about.
void leave_barrier(Thread& me, Team& team, std::uintptr_t pc) {
  std::uint32_t round = team.round;
  while (team.round == round) {
    if (is_complete(team))
      complete(team);
    else if (has_task(me, Rest::barrier))
      run_some_task(me, Rest::barrier, pc);
    else
      rest(me, Rest::barrier, OpKind::barrier_leave, team.address, pc);
  }
  if (races_wanted()) order_see(team.arrivals[round % 2]);
}

// A member between its arrival at the end of one region and its part in the next.
void be_idle(Thread& me, std::uintptr_t pc) {
  while (me.assigned == nullptr && !me.dismissed) {
    Team* ending = me.place.team;
    if (ending != nullptr && is_complete(*ending)) {
      complete(*ending);
      continue;
    }
    if (ending != nullptr && has_task(me, Rest::idle))
      run_some_task(me, Rest::idle, pc);
    else
      rest(me, Rest::idle, OpKind::team_idle, ending != nullptr ? ending->address : 0, pc);
  }
}

void* serve(void*) {
  Thread& me = thread_of(g.current->id);
  while (me.assigned != nullptr) {
    Team& team = *me.assigned;
    me.assigned = nullptr;
    join_team(me, team, me.assigned_member);
    std::uintptr_t pc = team.pc;
    team.function(team.argument);
    arrive(team, true, pc);
    be_idle(me, pc);
  }
  return nullptr;
}

void assign(Thread& worker, Team& team, std::uint32_t member) {
  worker.assigned = &team;
  worker.assigned_member = member;
}

void wake_worker(ThreadId id, Team& team, std::uint32_t member) {
  Thread& worker = thread_of(id);
  assign(worker, team, member);
  if (races_wanted()) order_hand_over(g.fibers[id]);
  if (worker.rest == Rest::idle) ring(id);
}

ThreadId make_worker(std::uintptr_t pc) {
  pthread_t handle;
  if (create_thread(&handle, nullptr, serve, nullptr, pc) != 0)
    refuse("OpenMP: no more threads can be created for a team");
  Fiber& fiber = *fiber_of(handle);
  fiber.detached = true;
  return fiber.id;
}

// The other members: those of the pool at once, then new ones.
void call_members(Thread& me, Team& team, std::uintptr_t pc) {
  std::uint32_t member = 1;
  ThreadId* link = &me.pool;
  for (std::uint32_t i = 0; i < team.skipped; ++i)
    link = &thread_of(static_cast<ThreadId>(*link - 1)).next_in_pool;
  if (*link != 0) {
    PendingOp& op = step(OpKind::team_start, team.address, pc);
    for (; *link != 0 && member < team.size; ++member) {
      auto id = static_cast<ThreadId>(*link - 1);
      wake_worker(id, team, member);
      link = &thread_of(id).next_in_pool;
    }
    emit_step(op, with_caller());
  }
  for (; member < team.size; ++member) {
    ThreadId id = make_worker(pc);
    assign(thread_of(id), team, member);
    *link = static_cast<ThreadId>(id + 1);
    link = &thread_of(id).next_in_pool;
  }
}

}  // namespace

Thread& thread_of(ThreadId id) { return threads[id]; }

Thread& self() {
  enter_run();
  return threads[g.current->id];
}

Team& team() {
  Thread& me = self();
  if (me.place.team == nullptr) {
    Team& alone = new_team(1);
    alone.first = g.current->id;
    me.place.team = &alone;
    me.place.task = &new_task(nullptr);
  }
  return *me.place.team;
}

PendingOp& step(OpKind kind, std::uintptr_t address, std::uintptr_t pc) {
  PendingOp& op = next_op(kind, site_of(pc));
  op.address = address;
  g.current->op_object = nullptr;
  note_progress();
  pass_point();
  return op;
}

void rest(Thread& me, Rest reason, OpKind kind, std::uintptr_t address, std::uintptr_t pc) {
  PendingOp& op = next_op(kind, site_of(pc));
  op.address = address;
  g.current->op_object = nullptr;
  note_progress();
  me.rest = reason;
  pass_point({.notification = true, .queue = &bell_of(me)});
  me.rest = Rest::none;
  emit_step(op, with_caller());
}

void ring(ThreadId id) {
  for_each_sleeper(bell_of(threads[id]), [](const Sleeper& sleeper) { notify(sleeper); });
}

std::uint32_t team_size(std::uint32_t wanted) {
  if (team().active_level >= max_active_levels()) return 1;
  std::uint32_t size = wanted != 0 ? wanted : settings().threads;
  return size < kMaxThreads ? size : kMaxThreads;
}

Team& begin_team(void (*function)(void*), void* argument, std::uint32_t wanted, const Loop* loop,
                 std::uintptr_t pc) {
  Thread& me = self();
  Team& around = team();
  Team& inner = new_team(team_size(wanted));
  inner.first = g.current->id;
  inner.level = around.level + 1;
  inner.active_level = around.active_level + (inner.size > 1 ? 1 : 0);
  inner.outer = me.place;
  inner.function = function;
  inner.argument = argument;
  inner.pc = pc;
  Settings before = settings();
  inner.settings = before;
  if (std::uint32_t threads_below = default_threads(inner.level); threads_below != 0)
    inner.settings.threads = threads_below;
  if (loop != nullptr) {
    inner.shares = &new_share(0);
    inner.shares->loop = *loop;
  }
  join_team(me, inner, 0);
  inner.outer_settings = before;
  inner.skipped = me.pool_used;
  me.pool_used += inner.size - 1;
  if (inner.size > 1) call_members(me, inner, pc);
  return inner;
}

void end_team(std::uintptr_t pc) {
  Thread& me = self();
  Team& ended = team();
  if (ended.size > 1) {
    arrive(ended, true, pc);
    leave_barrier(me, ended, pc);
  }
  me.pool_used -= ended.size - 1;
  Place outer = ended.outer;
  free_task(*me.place.task);
  me.settings = ended.outer_settings;
  free_team(ended);
  me.place = outer;
}

void run_team(void (*function)(void*), void* argument, std::uint32_t wanted, const Loop* loop,
              std::uintptr_t pc) {
  begin_team(function, argument, wanted, loop, pc);
  function(argument);
  end_team(pc);
}

void barrier(std::uintptr_t pc) {
  Team& mine = team();
  if (mine.size == 1) return;
  arrive(mine, false, pc);
  leave_barrier(self(), mine, pc);
}

void end_thread() {
  Thread& me = threads[g.current->id];
  while (me.pool != 0) {
    auto id = static_cast<ThreadId>(me.pool - 1);
    me.pool = thread_of(id).next_in_pool;
    thread_of(id).dismissed = true;
    if (thread_of(id).rest == Rest::idle) ring(id);
  }
  if (me.place.team != nullptr && me.place.team->level == 0) {
    free_team(*me.place.team);
    leave_team(me);
  }
}

}  // namespace raddle::runtime::openmp
