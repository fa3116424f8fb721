// SPDX-License-Identifier: Apache-2.0
//
// See events.h.
#include "runtime/events.h"

#include <string.h>
#include <unistd.h>

#include "dsl/schedule_checks.h"
#include "runtime/controller.h"
#include "runtime/descriptors.h"
#include "runtime/emit.h"
#include "runtime/enabled.h"
#include "runtime/fatal.h"

namespace raddle::runtime {

constinit EventSchedule events{};

namespace {

using dsl::EventKind;

bool is_compiled;  // events.table holds a schedule
// Where it is noted which of its events happen, and the block that this lies in; null: no room.
wire::ScheduleUse* use;
const wire::SharedHeader* use_in;
char message[wire::kMessageMax];  // scratch: runs have one kernel thread

// Every event of a schedule may admit or keep back every other: they are operations on one object.
std::uintptr_t schedule_address() { return numbered_address(DescriptorKind::order, 0); }

bool is_blocked(void*, ThreadId id) {
  const Fiber& fiber = g.fibers[id];
  return fiber.state == FiberState::alive && !g.enabled.contains(id) && !is_paused(fiber) &&
         view_of(fiber).op.kind != OpKind::sleep;
}

// Fills in what the schedule has to do with the event that the thread is at.
void classify(const Fiber& fiber, AtEvent& here) {
  here.mentioned = false;
  if (!events.in_force) return;
  here.firing = {here.kind, events.monitor.event_name(here.kind, here.name),
                 events.monitor.thread_name(fiber.name), fiber.id};
  here.mentioned = events.monitor.mentions(here.firing);
}

void note_passed(const dsl::Firing& firing) {
  events.monitor.fire(firing);
  for (dsl::EventIndex i = 0; use != nullptr && i < events.table.event_count; ++i)
    if (events.monitor.occurred(i))
      use->passed[i / 8] = static_cast<std::uint8_t>(use->passed[i / 8] | 1u << i % 8);
}

[[noreturn]] void report_violation(const Fiber& fiber, const AtEvent& here, std::uintptr_t pc) {
  dsl::TextBuffer text(message, sizeof message);
  explain_violation(text, fiber, here);
  end_run({.kind = wire::VerdictKind::schedule_violation, .pc = pc, .message = message});
}

void stay(ThreadId id) {
  events.waiting.add(id);
  g.cares.at_events = static_cast<std::uint16_t>(events.waiting.size());
}

void leave(ThreadId id) {
  events.waiting.remove(id);
  g.cares.at_events = static_cast<std::uint16_t>(events.waiting.size());
}

// The fiber's event is not one that it can be kept back before: it happens now.
void happen_at_once(Fiber& fiber, AtEvent& here, std::uintptr_t pc) {
  classify(fiber, here);
  if (!here.mentioned) return;
  if (!events.monitor.admits(here.firing, blocked_query())) report_violation(fiber, here, pc);
  note_passed(here.firing);
}

void forget_schedule() {
  events.in_force = false;
  events.mode = {};
  ++events.generation;
  events.name[0] = '\0';
  events.waiting.clear();
  g.cares.at_events = 0;
}

// Threads that were at an event when the schedule changed.
void classify_all() {
  events.waiting.clear();
  g.cares.at_events = 0;
  for (ThreadId id = 0; id < g.thread_count; ++id) {
    Fiber& fiber = g.fibers[id];
    if (&fiber == g.current || fiber.state != FiberState::alive ||
        view_of(fiber).op.kind != OpKind::event)
      continue;
    classify(fiber, events.at[id]);
    if (events.at[id].mentioned && !events.mode.passive) stay(id);
    set_enabled(fiber, true);  // until it is looked at
  }
}

// Threads that have begun and have a name have started, whatever the schedule thinks of it.
void note_starts() {
  for (ThreadId id = 0; id < g.thread_count; ++id) {
    const Fiber& fiber = g.fibers[id];
    if (fiber.state != FiberState::alive || fiber.name[0] == '\0' ||
        view_of(fiber).op.kind == OpKind::thread_start)
      continue;
    note_passed({EventKind::start, events.monitor.event_name(EventKind::start, "start"),
                 events.monitor.thread_name(fiber.name), id});
  }
}

void copy_name(char* to, std::size_t size, const char* from) {
  std::size_t length = strnlen(from, size - 1);
  memcpy(to, from, length);
  to[length] = '\0';
}

// The notes on the schedule that was just compiled, which earlier runs may have begun.
wire::ScheduleUse* find_use(const char* name) {
  static_assert(wire::kScheduleTextMax == dsl::kScheduleTextMax);
  static_assert(wire::kScheduleEventsMax == dsl::kEventsMax);
  use_in = g.shared;
  std::string_view text = events.table.source();
  for (wire::ScheduleUse& entry : g.shared->schedules) {
    if (entry.text_size == 0) {
      memcpy(entry.text, text.data(), text.size());
      copy_name(entry.name, sizeof entry.name, name);
      entry.text_size = static_cast<std::uint32_t>(text.size());
      return &entry;
    }
    if (text == std::string_view(entry.text, entry.text_size)) return &entry;
  }
  return nullptr;
}

void compile(const char* name, const char* text) {
  if (is_compiled && events.table.source() == std::string_view(text)) {
    events.monitor.restart();
    // Another block may lie where the last one did.
    if (use_in != g.shared || (use != nullptr && use->text_size == 0)) use = find_use(name);
    return;
  }
  is_compiled = false;
  dsl::TextBuffer error(message, sizeof message);
  if (!dsl::compile_schedule(text, events.table, error)) {
    say("the event schedule");
    if (name[0] != '\0') {
      say(" \"");
      say(name);
      say("\"");
    }
    say(" cannot be used: ");
    refuse(message);
  }
  events.monitor.begin(events.table);
  use = find_use(name);
  is_compiled = true;
}

}  // namespace

void reset_events() {
  // Threads of the last run may have been left at events whose names are gone.
  for (std::uint32_t id = 0; id < events.at_used; ++id) events.at[id] = {};
  events.at_used = 0;
  forget_schedule();
}

// Where runs are repeated in one process, the engine judges them by the test's request.
bool standstill_is_fine() {
  return !g.in_process && events.in_force && (events.mode.filter || events.mode.expect_infeasible);
}

void end_infeasible_run() {
  emit_pending(false);
  write_verdict({.kind = wire::VerdictKind::exited, .code = 0});
  _exit(0);
}

void end_schedule() {
  bool satisfied = running() && !g.in_process && events.in_force && events.mode.expect_infeasible;
  if (satisfied)
    end_run({.kind = wire::VerdictKind::schedule_violation,
             .message = "the event schedule was expected to be infeasible, but this run satisfies "
                        "it"});
  forget_schedule();
  if (running()) classify_all();
}

void begin_schedule(const char* name, const char* text, const ScheduleMode& mode) {
  forget_schedule();
  if (!running()) return;
  copy_name(events.name, sizeof events.name, name);
  compile(name, text);
  events.in_force = true;
  events.mode = mode;
  note_starts();
  classify_all();
}

void pass_event(EventKind kind, const char* name, std::uintptr_t pc) {
  if (!running()) return;
  Fiber& me = *g.current;
  // A signal handler may pass an event while the thread it interrupts is at one.
  AtEvent outer = events.at[me.id];
  AtEvent& here = events.at[me.id];
  if (me.id >= events.at_used) events.at_used = me.id + 1u;
  here = {name, kind, false, {}};
  classify(me, here);
  PendingOp& op = next_op(OpKind::event, site_of(pc));
  if (here.mentioned) op.address = schedule_address();
  if (here.mentioned && !events.mode.passive) stay(me.id);
  std::uint32_t generation = events.generation;
  pass_point();
  leave(me.id);
  if (generation != events.generation) classify(me, here);
  if (here.mentioned) {
    if (events.mode.passive && !events.monitor.admits(here.firing, blocked_query()))
      report_violation(me, here, pc);
    note_passed(here.firing);
  }
  op.address = here.mentioned ? schedule_address() : 0;  // a schedule may have begun meanwhile
  emit_step(op, with_caller());
  emit_event_name(name);
  here = outer;
  if (outer.name == nullptr) return;
  if (generation != events.generation) classify(me, here);
  if (here.mentioned && !events.mode.passive) stay(me.id);
}

void pass_thread_start(std::uintptr_t pc) {
  if (events.in_force && g.current->name[0] != '\0') {
    AtEvent here{"start", EventKind::start, false, {}};
    classify(*g.current, here);
    if (here.mentioned) pass_event(EventKind::start, "start", pc);
  }
}

void pass_thread_end() {
  if (events.in_force && g.current->name[0] != '\0') {
    AtEvent here{"end", EventKind::end, false, {}};
    classify(*g.current, here);
    if (here.mentioned) pass_event(EventKind::end, "end", 0);
  }
}

void name_fiber(Fiber& fiber, const char* name, std::uintptr_t pc) {
  bool same = strncmp(fiber.name, name, sizeof fiber.name - 1) == 0;
  copy_name(fiber.name, sizeof fiber.name, name);
  if (same || !running() || !events.in_force) return;
  if (view_of(fiber).op.kind == OpKind::thread_start && &fiber != g.current) return;
  if (&fiber == g.current) {
    pass_thread_start(pc);
  } else {
    AtEvent here{"start", EventKind::start, false, {}};
    happen_at_once(fiber, here, pc);
    if (events.waiting.contains(fiber.id)) classify(fiber, events.at[fiber.id]);
  }
}

dsl::BlockedQuery blocked_query() { return {&is_blocked, nullptr}; }

bool is_paused(const Fiber& fiber) {
  return g.cares.at_events > 0 && events.waiting.contains(fiber.id) && !fiber.interrupted &&
         view_of(fiber).op.kind == OpKind::event && !g.enabled.contains(fiber.id);
}

bool anybody_paused() {
  bool found = false;
  events.waiting.for_each([&](ThreadId id) { found = found || is_paused(g.fibers[id]); });
  return found;
}

void review_events() {
  events.waiting.for_each([](ThreadId id) {
    Fiber& fiber = g.fibers[id];
    if (fiber.interrupted || view_of(fiber).op.kind != OpKind::event) return;
    set_enabled(fiber, events.monitor.admits(events.at[id].firing, blocked_query()));
  });
}

}  // namespace raddle::runtime
