// SPDX-License-Identifier: Apache-2.0
//
// Why the event schedule keeps threads back, in words. Target side: only here is known who has
// passed what. Read-only, so that the watchdog's signal handler may ask too.
#include "dsl/schedule_text.h"
#include "runtime/events.h"

namespace raddle::runtime {
namespace {

using dsl::EventIndex;
using dsl::MissingAtom;
using dsl::TextBuffer;

// More clauses than these explain nothing.
constexpr unsigned kThreadsShown = 4;
constexpr unsigned kOrderingsShown = 4;
constexpr unsigned kAtomsShown = 6;

void put_thread(TextBuffer& out, const Fiber& fiber) {
  out << "T" << std::uint32_t{fiber.id};
  if (fiber.name[0] != '\0') out << " " << fiber.name;
}

void put_passing(TextBuffer& out, const Fiber& fiber, const AtEvent& here) {
  out << here.name;
  if (here.kind != dsl::EventKind::named) out << "@" << fiber.name;
}

// "has ended", "is itself paused before `x`", "is blocked", "could run".
void put_state(TextBuffer& out, const Fiber& fiber) {
  if (fiber.state != FiberState::alive) {
    out << "has ended";
  } else if (is_paused(fiber)) {
    out << "is itself paused before `";
    put_passing(out, fiber, events.at[fiber.id]);
    out << "`";
  } else if (blocked_query()(fiber.id)) {
    out << "is blocked";
  } else {
    out << "is not blocked";
  }
}

// The thread of that name that could still do something, or else one that has ended, or null.
const Fiber* find_named(std::string_view name) {
  const Fiber* found = nullptr;
  for (ThreadId id = 0; id < g.thread_count; ++id) {
    const Fiber& fiber = g.fibers[id];
    if (fiber.state == FiberState::unused || name != fiber.name) continue;
    if (fiber.state == FiberState::alive) return &fiber;
    found = &fiber;
  }
  return found;
}

// A thread that is kept back before the event, or null.
const Fiber* find_paused_before(EventIndex event) {
  const dsl::Event& wanted = events.table.events[event];
  const Fiber* found = nullptr;
  events.waiting.for_each([&](ThreadId id) {
    const Fiber& fiber = g.fibers[id];
    const AtEvent& here = events.at[id];
    bool fits = here.kind == wanted.kind && events.table.view(wanted.name) == here.name &&
                (wanted.thread.size == 0 || events.table.view(wanted.thread) == fiber.name);
    if (found == nullptr && fits && is_paused(fiber)) found = &fiber;
  });
  return found;
}

void put_missing(TextBuffer& out, const MissingAtom& atom) {
  const dsl::Event& event = events.table.events[atom.event];
  if (atom.occurred) {
    put_thread(out, g.fibers[atom.thread]);
    out << ", which has passed `";
    put_event(out, events.table, atom.event);
    out << "`, ";
    put_state(out, g.fibers[atom.thread]);
    return;
  }
  out << "`";
  put_event(out, events.table, atom.event);
  out << "` has not happened";
  std::uint32_t count = events.monitor.count(atom.event);
  if (count > 0) out << " (only " << count << " of " << std::uint32_t{event.occurrence} << ")";
  std::string_view name = events.table.view(event.thread);
  if (const Fiber* paused = find_paused_before(atom.event)) {
    out << ": ";
    put_thread(out, *paused);
    out << " is itself paused before it";
  } else if (event.thread.size != 0) {
    const Fiber* fiber = find_named(name);
    if (fiber == nullptr) {
      out << ": there has been no thread named `" << name << "`";
    } else {
      out << ": ";
      put_thread(out, *fiber);
      out << " ";
      put_state(out, *fiber);
    }
  } else if (count == 0) {
    out << ": no thread has passed it";
  }
}

void put_ordering_failure(TextBuffer& out, std::uint16_t ordering) {
  out << "`";
  put_ordering(out, events.table, events.table.orderings[ordering]);
  out << "`, but ";
  MissingAtom atoms[kAtomsShown];
  unsigned count = events.monitor.missing(ordering, blocked_query(), atoms, kAtomsShown);
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) out << ", and ";
    put_missing(out, atoms[i]);
  }
}

void put_failures(TextBuffer& out, const AtEvent& here, const char* between) {
  std::uint16_t orderings[kOrderingsShown];
  unsigned count = events.monitor.failing(here.firing, blocked_query(), orderings, kOrderingsShown);
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) out << between;
    put_ordering_failure(out, orderings[i]);
  }
}

}  // namespace

void put_event_of(TextBuffer& out, const Fiber& fiber) {
  put_passing(out, fiber, events.at[fiber.id]);
}

void explain_pauses(TextBuffer& out) {
  unsigned shown = 0;
  events.waiting.for_each([&](ThreadId id) {
    const Fiber& fiber = g.fibers[id];
    if (!is_paused(fiber) || ++shown > kThreadsShown) return;
    if (shown > 1) out << "; ";
    put_thread(out, fiber);
    out << " is paused before `";
    put_passing(out, fiber, events.at[id]);
    out << "` by ";
    put_failures(out, events.at[id], "; and by ");
  });
  if (shown > kThreadsShown) out << "; and " << shown - kThreadsShown << " more are paused";
}

void explain_violation(TextBuffer& out, const Fiber& fiber, const AtEvent& here) {
  put_thread(out, fiber);
  out << " passed `";
  put_passing(out, fiber, here);
  out << "` against ";
  put_failures(out, here, "; and against ");
}

}  // namespace raddle::runtime
