// SPDX-License-Identifier: Apache-2.0
//
// See schedule_monitor.h.
#include "dsl/schedule_monitor.h"

#include "dsl/schedule_evaluate.h"

namespace raddle::dsl {

void ScheduleMonitor::begin(const Schedule& schedule) {
  schedule_ = &schedule;
  has_block_events_ = false;
  for (unsigned i = 0; i < schedule.code_count; ++i)
    has_block_events_ |= schedule.code[i].op == Op::blocked;
  for (EventIndex i = 0; i < schedule.event_count; ++i) {
    const Event& event = schedule.events[i];
    names_[i] = event_name(event.kind, schedule.view(event.name));
    threads_[i] = event.thread.size == 0 ? kNoName : thread_name(schedule.view(event.thread));
  }
  restart();
}

void ScheduleMonitor::restart() {
  for (EventIndex i = 0; i < schedule_->event_count; ++i) {
    counts_[i] = 0;
    thread_of_[i] = kNoThread;
  }
}

NameId ScheduleMonitor::event_name(EventKind kind, std::string_view name) const {
  for (EventIndex i = 0; i < schedule_->event_count; ++i)
    if (schedule_->events[i].kind == kind && schedule_->view(schedule_->events[i].name) == name)
      return i;
  return kNoName;
}

NameId ScheduleMonitor::thread_name(std::string_view name) const {
  if (name.empty()) return kNoName;
  for (EventIndex i = 0; i < schedule_->event_count; ++i)
    if (schedule_->view(schedule_->events[i].thread) == name) return i;
  return kNoName;
}

std::string_view ScheduleMonitor::name_of(NameId event_name) const {
  return schedule_->view(schedule_->events[event_name].name);
}

bool ScheduleMonitor::matches(EventIndex event, const Firing& firing) const {
  return names_[event] == firing.name &&
         (threads_[event] == kNoName || threads_[event] == firing.thread_name);
}

bool ScheduleMonitor::mentions(const Firing& firing) const {
  if (firing.name == kNoName) return false;
  for (EventIndex i = 0; i < schedule_->event_count; ++i)
    if (matches(i, firing)) return true;
  return false;
}

bool ScheduleMonitor::occurred(EventIndex event) const {
  std::uint16_t index = schedule_->events[event].occurrence;
  return counts_[event] >= (index == 0 ? 1u : index);
}

bool ScheduleMonitor::holds(const Instruction& atom, const BlockedQuery& blocked) const {
  return occurred(atom.event) && (atom.op == Op::occurred || blocked(thread_of_[atom.event]));
}

bool ScheduleMonitor::keeps_back(const Ordering& ordering, const Firing& firing,
                                 const BlockedQuery& blocked) const {
  if (!matches(ordering.event, firing)) return false;
  std::uint16_t index = schedule_->events[ordering.event].occurrence;
  if (index != 0 && counts_[ordering.event] + 1 != index) return false;
  return !evaluate(*schedule_, ordering,
                   [&](const Instruction& atom) { return holds(atom, blocked); });
}

bool ScheduleMonitor::admits(const Firing& firing, const BlockedQuery& blocked) const {
  std::uint16_t first;
  return failing(firing, blocked, &first, 1) == 0;
}

unsigned ScheduleMonitor::failing(const Firing& firing, const BlockedQuery& blocked,
                                  std::uint16_t* orderings, unsigned capacity) const {
  unsigned count = 0;
  if (firing.name == kNoName) return 0;
  for (std::uint16_t i = 0; i < schedule_->ordering_count && count < capacity; ++i)
    if (keeps_back(schedule_->orderings[i], firing, blocked)) orderings[count++] = i;
  return count;
}

unsigned ScheduleMonitor::missing(std::uint16_t index, const BlockedQuery& blocked,
                                  MissingAtom* atoms, unsigned capacity) const {
  const Ordering& ordering = schedule_->orderings[index];
  unsigned count = 0;
  for (unsigned i = 0; i < ordering.count && count < capacity; ++i) {
    const Instruction& atom = schedule_->code[ordering.first + i];
    if (!is_atom(atom) || holds(atom, blocked)) continue;
    bool has_occurred = occurred(atom.event);
    atoms[count++] = {atom.event, has_occurred, has_occurred ? thread_of_[atom.event] : kNoThread};
  }
  return count;
}

void ScheduleMonitor::fire(const Firing& firing) {
  if (firing.name == kNoName) return;
  for (EventIndex i = 0; i < schedule_->event_count; ++i) {
    if (!matches(i, firing)) continue;
    std::uint16_t index = schedule_->events[i].occurrence;
    ++counts_[i];
    if (index == 0 || counts_[i] == index) thread_of_[i] = firing.thread;
  }
}

}  // namespace raddle::dsl
