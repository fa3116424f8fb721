// SPDX-License-Identifier: Apache-2.0
//
// See report.h.
#include "light/report.h"

#include "dsl/schedule_text.h"
#include "light/blocked.h"

namespace raddle::light {

namespace {

using dsl::EventKind;
using dsl::TextBuffer;

constexpr unsigned kListMax = 8;  // orderings and atoms of one thread in a report

void put_thread(TextBuffer& out, const Thread& thread) {
  if (thread.name[0] != 0)
    out << thread.name;
  else
    out << "thread " << std::uint32_t{id_of(thread)};
}

void put_wait(TextBuffer& out, const Thread& thread) {
  const Thread* other = awaited(thread);
  switch (thread.kind) {
    case WaitKind::none:
      out << "runs";
      return;
    case WaitKind::mutex:
      out << "waits for a mutex";
      if (other != nullptr) {
        out << " that ";
        put_thread(out, *other);
        out << " has";
      }
      return;
    case WaitKind::rwlock:
      out << "waits for a reader-writer lock";
      return;
    case WaitKind::condition:
      out << "waits for a condition";
      return;
    case WaitKind::semaphore:
      out << "waits for a semaphore";
      return;
    case WaitKind::barrier:
      out << "waits at a barrier";
      return;
    case WaitKind::join:
      out << "waits for the end of ";
      if (other != nullptr)
        put_thread(out, *other);
      else
        out << "a thread";
      return;
    case WaitKind::futex:
      out << "waits for an atomic variable or future";
      return;
    case WaitKind::once:
      out << "waits for an initialisation by another thread";
      return;
  }
}

const Thread* thread_named(std::string_view name) {
  for (unsigned i = 0; i < thread_limit(); ++i) {
    const Thread* thread = thread_at(static_cast<ThreadId>(i));
    if (thread != nullptr && name == thread->name) return thread;
  }
  return nullptr;
}

void put_missing_atom(TextBuffer& out, const dsl::Schedule& schedule,
                      const dsl::MissingAtom& atom) {
  const dsl::Event& event = schedule.events[atom.event];
  if (!atom.occurred) {
    dsl::put_event(out, schedule, atom.event);
    out << " has not happened";
    if (event.thread.size == 0) return;
    const Thread* thread = thread_named(schedule.view(event.thread));
    if (thread == nullptr)
      out << ", and there is no thread of that name";
    else if (thread->ended)
      out << ", and its thread has ended";
    return;
  }
  const Thread* thread = thread_at(atom.thread);
  out << "[";
  dsl::put_event(out, schedule, atom.event);
  out << "] does not hold: ";
  if (thread == nullptr || thread->ended) {
    out << "its thread has ended";
    return;
  }
  put_thread(out, *thread);
  if (thread->paused_at != nullptr)
    out << " is held back itself";
  else if (thread->kind == WaitKind::none)
    out << " is not blocked, it runs";
  else
    out << " is about to go on";
}

// "  by a -> b: a has not happened", for each ordering that holds the event back.
void put_reasons(TextBuffer& out, const Situation& situation, const dsl::Firing& firing) {
  const dsl::ScheduleMonitor& monitor = *situation.monitor;
  std::uint16_t orderings[kListMax];
  const unsigned count = monitor.failing(firing, situation.is_blocked, orderings, kListMax);
  for (unsigned i = 0; i < count; ++i) {
    out << "    by ";
    dsl::put_ordering(out, monitor.schedule(), monitor.schedule().orderings[orderings[i]]);
    dsl::MissingAtom atoms[kListMax];
    const unsigned atom_count =
        monitor.missing(orderings[i], situation.is_blocked, atoms, kListMax);
    for (unsigned j = 0; j < atom_count; ++j) {
      out << (j == 0 ? ": " : "; ");
      put_missing_atom(out, monitor.schedule(), atoms[j]);
    }
    out << "\n";
  }
}

void put_place(TextBuffer& out, EventKind kind, const char* event) {
  if (kind == EventKind::named)
    out << event;
  else
    out << (kind == EventKind::start ? "its start" : "its end");
}

void put_threads(TextBuffer& out, const Situation& situation) {
  for (unsigned i = 0; i < thread_limit(); ++i) {
    const Thread* thread = thread_at(static_cast<ThreadId>(i));
    if (thread == nullptr || thread->ended) continue;
    out << "  ";
    put_thread(out, *thread);
    if (thread->paused_at == nullptr) {
      out << " ";
      put_wait(out, *thread);
      out << "\n";
      continue;
    }
    out << " is held back at ";
    put_place(out, thread->paused_kind, thread->paused_at);
    out << "\n";
    put_reasons(out, situation, paused_firing(*situation.monitor, *thread));
  }
}

struct Census {
  unsigned paused = 0;
  bool circle = false;
};

Census count_threads() {
  Census census;
  for (unsigned i = 0; i < thread_limit(); ++i) {
    const Thread* thread = thread_at(static_cast<ThreadId>(i));
    if (thread == nullptr || thread->ended) continue;
    if (thread->paused_at != nullptr) ++census.paused;
    if (waits_for_itself(*thread)) census.circle = true;
  }
  return census;
}

}  // namespace

dsl::Firing firing_of(const dsl::ScheduleMonitor& monitor, const Thread& thread, EventKind kind,
                      const char* name) {
  return {kind, monitor.event_name(kind, name), monitor.thread_name(thread.name), id_of(thread)};
}

dsl::Firing paused_firing(const dsl::ScheduleMonitor& monitor, const Thread& thread) {
  return firing_of(monitor, thread, thread.paused_kind, thread.paused_at);
}

bool waits_for_itself(const Thread& thread) {
  const Thread* at = awaited(thread);
  for (unsigned i = 0; at != nullptr && i < thread_limit(); ++i) {
    if (at == &thread) return true;
    at = at->paused_at != nullptr || at->ended ? nullptr : awaited(*at);
  }
  return false;
}

void put_violation(TextBuffer& out, const Situation& situation, const Thread& thread,
                   const dsl::Firing& firing, const char* event) {
  out << "schedule \"" << situation.schedule_name << "\" is violated: ";
  put_thread(out, thread);
  out << " passes ";
  put_place(out, firing.kind, event);
  out << " too early\n";
  put_reasons(out, situation, firing);
}

void put_deadlock(TextBuffer& out, const Situation& situation) {
  const Census census = count_threads();
  if (census.circle || census.paused == 0) {
    out << "deadlock of the program itself while schedule \"" << situation.schedule_name
        << "\" is in force: "
        << (census.circle ? "threads wait for each other in a circle\n"
                          : "it holds nobody back, and all threads wait\n");
  } else {
    out << "deadlock caused by schedule \"" << situation.schedule_name
        << "\": " << std::uint32_t{census.paused}
        << (census.paused == 1 ? " thread is" : " threads are")
        << " held back, and nobody is left who could change that\n";
  }
  put_threads(out, situation);
}

void put_hang(TextBuffer& out, const Situation& situation, std::int64_t seconds) {
  out << "schedule \"" << situation.schedule_name << "\" hangs: a thread has been held back for "
      << static_cast<std::uint32_t>(seconds) << " s (RADDLE_LIGHT_TIMEOUT)\n";
  put_threads(out, situation);
}

void put_untried(TextBuffer& out, const Situation& situation) {
  const dsl::Schedule& schedule = situation.monitor->schedule();
  for (unsigned i = 0; i < schedule.ordering_count; ++i) {
    const dsl::Ordering& ordering = schedule.orderings[i];
    if (situation.monitor->occurred(ordering.event)) continue;
    out << "raddle: schedule \"" << situation.schedule_name << "\": ";
    dsl::put_ordering(out, schedule, ordering);
    out << " had nothing to order: ";
    dsl::put_event(out, schedule, ordering.event);
    out << " did not happen\n";
  }
}

}  // namespace raddle::light
