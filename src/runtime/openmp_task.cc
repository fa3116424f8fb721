// SPDX-License-Identifier: Apache-2.0
//
// Tasks of OpenMP. Target side. See openmp.h.
//
// A deferred task is in its team's list from its creation to its end. Members take tasks where they
// would otherwise wait: any task at a barrier, the children of its own task at a taskwait, the
// tasks of the group at the end of a taskgroup; that satisfies the scheduling constraint of tied
// tasks. Of several it may take, the schedule chooses one of the oldest.
//
// Edges: creation before start; end before the taskwait of the parent, the end of the group and the
// barrier that wait for it; end before the start of siblings that depend on it.
#include <string.h>

#include "runtime/emit.h"
#include "runtime/fatal.h"
#include "runtime/heap.h"
#include "runtime/openmp.h"

namespace raddle::runtime::openmp {
namespace {

constexpr unsigned kTasksMax = 1 << 17;
Task task_table[kTasksMax];
unsigned tasks_used;
Task* free_tasks;

constexpr unsigned kGroupsMax = 1 << 14;
Group group_table[kGroupsMax];
unsigned groups_used;
Group* free_groups;

constexpr unsigned kChoicesMax = 8;  // tasks that a member chooses from

void append_task(Team& team, Task& task) {
  task.previous = team.last_task;
  (team.last_task != nullptr ? team.last_task->next : team.first_task) = &task;
  team.last_task = &task;
  ++team.unfinished_tasks;
}

void remove_task(Team& team, Task& task) {
  (task.previous != nullptr ? task.previous->next : team.first_task) = task.next;
  (task.next != nullptr ? task.next->previous : team.last_task) = task.previous;
  --team.unfinished_tasks;
}

bool depends(const Task& later, const Task& earlier) {
  for (std::uint32_t i = 0; i < later.dependence_count; ++i)
    for (std::uint32_t j = 0; j < earlier.dependence_count; ++j) {
      const Dependence& a = later.dependences[i];
      const Dependence& b = earlier.dependences[j];
      if (a.address == b.address && (a.writes || b.writes)) return true;
    }
  return false;
}

// Whether all earlier siblings that it depends on have ended. `last`: the youngest of those.
bool is_free(const Task& task, const Task* last) {
  if (task.dependence_count == 0) return true;
  for (const Task* other = last; other != nullptr; other = other->previous)
    if (other->parent == task.parent && depends(task, *other)) return false;
  return true;
}

bool may_take(const Thread& me, Rest reason, const Task& task) {
  if (task.started || !is_free(task, task.previous)) return false;
  if (reason == Rest::children) return task.parent == me.place.task;
  if (reason == Rest::group) return task.group == me.place.task->group;
  return reason == Rest::barrier || reason == Rest::idle;
}

// Members that wait and could take it.
void offer(const Team& team, const Task& task) {
  for_each_member(team, [&](ThreadId id) {
    const Thread& member = thread_of(id);
    if (member.rest == Rest::none || member.place.team != &team) return;
    if (may_take(member, member.rest, task)) ring(id);
  });
}

// Those that depended on a task of this parent may be free now.
void offer_siblings(const Team& team, const Task* parent) {
  for (Task* other = team.first_task; other != nullptr; other = other->next)
    if (other->parent == parent && other->dependence_count > 0) offer(team, *other);
}

void hand_to_successors(const Task& ended) {
  for (Task* later = ended.next; later != nullptr; later = later->next)
    if (later->parent == ended.parent && depends(*later, ended)) order_hand_on(later->known);
}

void end_task(Team& team, Task& task) {
  if (races_wanted()) {
    hand_to_successors(task);
    order_hand_on(team.arrivals[team.round % 2]);
    if (task.parent != nullptr) order_hand_on(task.parent->children);
    if (task.parent != nullptr && task.dependence_count > 0) order_hand_on(task.parent->settled);
    if (task.group != nullptr) order_hand_on(task.group->finished);
  }
  if (task.unfinished_children > 0)
    for (Task* other = team.first_task; other != nullptr; other = other->next)
      if (other->parent == &task) other->parent = nullptr;
  remove_task(team, task);
  if (task.dependence_count > 0) offer_siblings(team, task.parent);
  if (Task* parent = task.parent; parent != nullptr) {
    bool awaited = --parent->unfinished_children == 0 || parent->waits_for_some;
    if (awaited && parent->waiter != kNoThread) ring(parent->waiter);
  }
  if (Group* group = task.group; group != nullptr)
    if (--group->unfinished == 0 && group->waiter != kNoThread) ring(group->waiter);
  free_task(task);
}

void run_task(Thread& me, Task& task) {
  Task* before = me.place.task;
  Group* group = task.group;
  me.place.task = &task;
  if (races_wanted()) order_see(task.known);
  task.function(task.argument);
  me.place.task = before;
  task.group = group;  // groups that it left open by a jump are not its
}

// The tasks that a depend clause names; two layouts, told apart by their first word (libgomp's
// interface for OpenMP 4.0 and 5.0).
void read_dependences(Task& task, void** depend) {
  auto number = [&](unsigned i) { return reinterpret_cast<std::uintptr_t>(depend[i]); };
  bool old = number(0) != 0;
  std::uintptr_t total = old ? number(0) : number(1);
  std::uintptr_t writes = old ? number(1) : number(2) + number(3);
  void** addresses = depend + (old ? 2 : 5);
  if (!old && total != writes + number(4)) refuse_openmp("depend(depobj: ...)");
  RuntimeBlocks unwatched;
  task.dependences =
      static_cast<Dependence*>(heap_allocate(total * sizeof(Dependence) + 1, 16, false, task.pc));
  if (task.dependences == nullptr) refuse("OpenMP: no memory for a task");
  for (std::uintptr_t i = 0; i < total; ++i) task.dependences[i] = {addresses[i], i < writes};
  task.dependence_count = static_cast<std::uint32_t>(total);
}

void copy_argument(Task& task, const TaskRequest& request, std::uintptr_t pc) {
  std::size_t alignment = request.alignment > 16 ? request.alignment : 16;
  task.argument = heap_allocate(request.size + 1, alignment, false, pc);
  if (task.argument == nullptr) refuse("OpenMP: no memory for a task");
  if (request.copy != nullptr)
    request.copy(task.argument, request.argument);
  else
    memcpy(task.argument, request.argument, request.size);
  if (request.bounds != nullptr) memcpy(task.argument, request.bounds, 2 * sizeof(std::uint64_t));
}

// Lets the children of the current task run until `done()`.
template <class Done>
void await(Thread& me, Rest reason, ThreadId& waiter, std::uintptr_t pc, Done done) {
  while (!done()) {
    if (has_task(me, reason)) {
      run_some_task(me, reason, pc);
      continue;
    }
    waiter = g.current->id;
    rest(me, reason, OpKind::task_wait, team().address, pc);
    waiter = kNoThread;
  }
}

// Runs in the place of its creator, before anything else of it.
void run_at_once(const TaskRequest& request, Task& task, std::uintptr_t pc) {
  Thread& me = self();
  if (request.depend != nullptr) await_dependences(request.depend, pc);
  bool copies = request.copy != nullptr || request.bounds != nullptr;
  if (copies) copy_argument(task, request, pc);
  task.function = request.function;
  Task* before = me.place.task;
  me.place.task = &task;
  request.function(copies ? task.argument : request.argument);
  me.place.task = before;
  if (task.unfinished_children > 0)
    for (Task* other = team().first_task; other != nullptr; other = other->next)
      if (other->parent == &task) other->parent = nullptr;
  free_task(task);
}

}  // namespace

void reset_tasks() {
  tasks_used = groups_used = 0;
  free_tasks = nullptr;
  free_groups = nullptr;
}

Task& new_task(Task* parent) {
  Task* task = free_tasks;
  if (task != nullptr)
    free_tasks = task->next;
  else if (tasks_used == kTasksMax)
    refuse("OpenMP: more than 131072 tasks at a time");
  else
    task = &task_table[tasks_used++];
  *task = {};
  task->parent = parent;
  task->waiter = kNoThread;
  if (parent != nullptr) {
    task->group = parent->group;
    task->is_final = parent->is_final;
  }
  return *task;
}

void free_task(Task& task) {
  if (task.argument != nullptr) heap_free(task.argument, task.pc);
  if (task.dependences != nullptr) {
    RuntimeBlocks unwatched;
    heap_free(task.dependences, task.pc);
  }
  release_clock(task.known);
  release_clock(task.children);
  release_clock(task.settled);
  task.next = free_tasks;
  free_tasks = &task;
}

void create_task(const TaskRequest& request, std::uintptr_t pc) {
  Team& mine = team();
  Task& parent = *self().place.task;
  Task& task = new_task(&parent);
  task.pc = pc;
  bool deferred = request.deferred && !parent.is_final && mine.size > 1;
  task.is_final |= request.is_final;
  if (!deferred) return run_at_once(request, task, pc);
  task.function = request.function;
  copy_argument(task, request, pc);
  if (request.depend != nullptr) read_dependences(task, request.depend);
  PendingOp& op = step(OpKind::task_create, mine.address, pc);
  ++parent.unfinished_children;
  if (task.group != nullptr) ++task.group->unfinished;
  append_task(mine, task);
  if (races_wanted()) order_hand_on(task.known);
  // Siblings that have ended: which of them it depends on is no longer known.
  if (races_wanted() && task.dependence_count > 0) join_clock(task.known, parent.settled);
  emit_step(op, with_caller());
  offer(mine, task);
}

bool has_task(const Thread& me, Rest reason) {
  for (const Task* task = me.place.team->first_task; task != nullptr; task = task->next)
    if (may_take(me, reason, *task)) return true;
  return false;
}

void run_some_task(Thread& me, Rest reason, std::uintptr_t pc) {
  Team& mine = *me.place.team;
  PendingOp& op = step(OpKind::task_start, mine.address, pc);
  Task* choices[kChoicesMax];
  std::uint32_t count = 0;
  // Idle members' teams may be dissolved before they get their turn.
  Task* task = me.place.team == &mine ? mine.first_task : nullptr;
  for (; task != nullptr && count < kChoicesMax; task = task->next)
    if (may_take(me, reason, *task)) choices[count++] = task;
  Task* chosen = count == 0 ? nullptr : choices[choose_value(count)];
  if (chosen != nullptr) chosen->started = true;
  emit_step(op, with_caller(), chosen == nullptr);
  if (chosen == nullptr) return;
  run_task(me, *chosen);
  end_task(mine, *chosen);
}

void await_children(std::uintptr_t pc) {
  if (team().size == 1) return;
  Thread& me = self();
  Task& task = *me.place.task;
  await(me, Rest::children, task.waiter, pc, [&] { return task.unfinished_children == 0; });
  if (races_wanted()) order_see(task.children);
}

void await_dependences(void** depend, std::uintptr_t pc) {
  Team& mine = team();
  if (mine.size == 1) return;
  Thread& me = self();
  Task& task = *me.place.task;
  Task& probe = new_task(&task);
  probe.pc = pc;
  read_dependences(probe, depend);
  task.waits_for_some = true;
  await(me, Rest::children, task.waiter, pc, [&] { return is_free(probe, mine.last_task); });
  task.waits_for_some = false;
  // The tasks that ended meanwhile handed what they did to the parent: more edges than promised.
  if (races_wanted()) order_see(task.children);
  free_task(probe);
}

void open_group() {
  team();
  Task& task = *self().place.task;
  Group* group = free_groups;
  if (group != nullptr)
    free_groups = group->outer;
  else if (groups_used == kGroupsMax)
    refuse("OpenMP: more than 16384 task groups at a time");
  else
    group = &group_table[groups_used++];
  *group = {};
  group->outer = task.group;
  group->waiter = kNoThread;
  task.group = group;
}

void close_group(std::uintptr_t pc) {
  team();
  Thread& me = self();
  Task& task = *me.place.task;
  Group* group = task.group;
  if (group == nullptr) return;
  await(me, Rest::group, group->waiter, pc, [&] { return group->unfinished == 0; });
  if (races_wanted()) order_see(group->finished);
  task.group = group->outer;
  release_clock(group->finished);
  group->outer = free_groups;
  free_groups = group;
}

}  // namespace raddle::runtime::openmp
