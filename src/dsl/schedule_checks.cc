// SPDX-License-Identifier: Apache-2.0
//
// See schedule_checks.h.
#include "dsl/schedule_checks.h"

#include "dsl/schedule_evaluate.h"
#include "dsl/schedule_parser.h"
#include "dsl/schedule_text.h"

namespace raddle::dsl {
namespace {

constexpr std::uint16_t kNone = 0xffff;
constexpr unsigned kNodesMax = 2 * kEventsMax;

// One occurrence of an event. An event without index stands for its first occurrence.
struct Node {
  EventIndex event;  // that has this kind, name and thread
  std::uint16_t occurrence;
  bool possible;
  bool visited;  // by a walk
  // Nodes without which this one cannot be, apart from orderings; kNone: no more.
  std::uint16_t before[3];
};

// Why a node is not possible: another node that is not, and the ordering that says so, if any.
struct Reason {
  std::uint16_t node = kNone;
  std::uint16_t ordering = kNone;
};

class Checks {
 public:
  Checks(const Schedule& schedule, Diagnostic* out, unsigned capacity)
      : schedule_(schedule), out_(out), capacity_(capacity) {
    make_nodes();
    find_possible();
  }

  unsigned run() {
    for (std::uint16_t i = 0; i < node_count_; ++i)
      if (!nodes_[i].possible && !nodes_[i].visited) walk(i);
    warn_of_duplicates();
    for (unsigned i = 0; i < schedule_.ordering_count; ++i) warn_of_own_thread(i);
    return count_;
  }

 private:
  void make_nodes();
  std::uint16_t node_of(EventIndex event, std::uint16_t occurrence);
  void find_possible();
  bool can_happen(const Node& node) const;
  bool holds(const Ordering& ordering) const;
  bool is_possible(const Instruction& atom) const;
  bool applies(const Ordering& ordering, const Node& node) const;
  std::uint16_t needed_before(const Node& node, unsigned nth) const;
  Reason reason_of(const Node& node) const;
  void walk(std::uint16_t from);
  void report_cycle(const std::uint16_t* path, const std::uint16_t* by, unsigned first,
                    unsigned last);
  void put_node(TextBuffer& text, std::uint16_t node) const;
  void warn_of_duplicates();
  void warn_of_own_thread(unsigned ordering);
  bool same_code(const Ordering& a, const Ordering& b) const;
  Diagnostic* add(bool is_error, std::uint32_t offset);

  bool same_name(const Event& a, const Event& b) const {
    return a.kind == b.kind && schedule_.view(a.name) == schedule_.view(b.name);
  }
  bool same_thread(const Event& a, const Event& b) const {
    return schedule_.view(a.thread) == schedule_.view(b.thread);
  }
  const Event& event_of(const Node& node) const { return schedule_.events[node.event]; }

  const Schedule& schedule_;
  Diagnostic* out_;
  unsigned capacity_;
  unsigned count_ = 0;
  unsigned node_count_ = 0;
  Node nodes_[kNodesMax];
  std::uint16_t node_of_event_[kEventsMax];
  std::uint16_t base_[kEventsMax];  // the first event of the same name and thread
  std::uint16_t name_[kEventsMax];  // the first event of the same name
  bool holds_[kOrderingsMax];
};

std::uint16_t Checks::node_of(EventIndex event, std::uint16_t occurrence) {
  for (std::uint16_t i = 0; i < node_count_; ++i)
    if (base_[nodes_[i].event] == base_[event] && nodes_[i].occurrence == occurrence) return i;
  nodes_[node_count_] = {event, occurrence, false, false, {kNone, kNone, kNone}};
  return static_cast<std::uint16_t>(node_count_++);
}

void Checks::make_nodes() {
  for (EventIndex i = 0; i < schedule_.event_count; ++i) {
    const Event& event = schedule_.events[i];
    name_[i] = base_[i] = i;
    for (EventIndex j = i; j-- > 0;) {
      if (!same_name(schedule_.events[j], event)) continue;
      name_[i] = j;
      if (same_thread(schedule_.events[j], event)) base_[i] = j;
    }
  }
  for (EventIndex i = 0; i < schedule_.event_count; ++i) {
    const Event& event = schedule_.events[i];
    std::uint16_t first = node_of(i, 1);
    node_of_event_[i] = event.occurrence > 1 ? node_of(i, event.occurrence) : first;
  }
  for (unsigned i = 0; i < node_count_; ++i)
    for (unsigned nth = 0; nth < 3; ++nth) nodes_[i].before[nth] = needed_before(nodes_[i], nth);
}

// An atom that no execution can make true is false, whatever else happens.
bool Checks::is_possible(const Instruction& atom) const {
  if (atom.op == Op::blocked && schedule_.events[atom.event].kind == EventKind::end) return false;
  return nodes_[node_of_event_[atom.event]].possible;
}

bool Checks::holds(const Ordering& ordering) const {
  return evaluate(schedule_, ordering, [&](const Instruction& atom) { return is_possible(atom); });
}

// Whether every such occurrence has to wait for the ordering. One of an event with a thread has an
// unknown number among those of all threads.
bool Checks::applies(const Ordering& ordering, const Node& node) const {
  const Event& right = schedule_.events[ordering.event];
  if (name_[ordering.event] != name_[node.event]) return false;
  if (right.occurrence == 0 && right.thread.size == 0) return true;
  return base_[ordering.event] == base_[node.event] &&
         (right.occurrence == 0 || right.occurrence == node.occurrence);
}

// 0: its previous occurrence; 1: as many occurrences in all threads; 2: the start of its thread.
std::uint16_t Checks::needed_before(const Node& node, unsigned nth) const {
  const Event& event = event_of(node);
  std::uint16_t best = kNone;
  for (std::uint16_t i = 0; i < node_count_; ++i) {
    const Node& other = nodes_[i];
    const Event& candidate = event_of(other);
    bool same_base = base_[other.event] == base_[node.event];
    bool fits = nth == 0   ? same_base && other.occurrence < node.occurrence
                : nth == 1 ? event.thread.size != 0 && candidate.thread.size == 0 &&
                                 name_[other.event] == name_[node.event] &&
                                 other.occurrence <= node.occurrence
                           : event.kind != EventKind::start && candidate.kind == EventKind::start &&
                                 same_thread(candidate, event) && other.occurrence == 1;
    if (fits && (best == kNone || nodes_[best].occurrence < other.occurrence)) best = i;
  }
  return best;
}

bool Checks::can_happen(const Node& node) const {
  for (unsigned i = 0; i < schedule_.ordering_count; ++i)
    if (!holds_[i] && applies(schedule_.orderings[i], node)) return false;
  for (std::uint16_t other : node.before)
    if (other != kNone && !nodes_[other].possible) return false;
  return true;
}

void Checks::find_possible() {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < schedule_.ordering_count; ++i)
      holds_[i] = holds(schedule_.orderings[i]);
    for (unsigned i = 0; i < node_count_; ++i)
      if (!nodes_[i].possible && can_happen(nodes_[i])) changed = nodes_[i].possible = true;
  }
}

// Requires: the node is not possible.
Reason Checks::reason_of(const Node& node) const {
  for (std::uint16_t other : node.before)
    if (other != kNone && !nodes_[other].possible) return {other, kNone};
  for (std::uint16_t i = 0; i < schedule_.ordering_count; ++i) {
    const Ordering& ordering = schedule_.orderings[i];
    if (holds_[i] || !applies(ordering, node)) continue;
    for (unsigned k = 0; k < ordering.count; ++k) {
      const Instruction& atom = schedule_.code[ordering.first + k];
      if (atom.op == Op::both || atom.op == Op::either) continue;
      std::uint16_t other = node_of_event_[atom.event];
      if (!nodes_[other].possible) return {other, i};
    }
    return {kNone, i};  // an atom that can never be true
  }
  return {};
}

void Checks::walk(std::uint16_t from) {
  std::uint16_t path[kNodesMax + 1];
  std::uint16_t by[kNodesMax + 1];  // the ordering that leads from path[i] to path[i + 1]
  unsigned length = 0;
  for (std::uint16_t node = from;;) {
    for (unsigned i = 0; i < length; ++i)
      if (path[i] == node) return report_cycle(path, by, i, length);
    if (nodes_[node].visited) return;  // behind something that has been reported
    nodes_[node].visited = true;
    Reason reason = reason_of(nodes_[node]);
    path[length] = node;
    by[length++] = reason.ordering;
    if (reason.node == kNone) {
      if (reason.ordering == kNone) return;
      const Ordering& ordering = schedule_.orderings[reason.ordering];
      if (Diagnostic* found = add(true, ordering.source.at)) {
        TextBuffer text(found->message, sizeof found->message);
        text << "\"";
        put_ordering(text, schedule_, ordering);
        text << "\" can never hold: a thread is not blocked after its end";
      }
      return;
    }
    node = reason.node;
  }
}

void Checks::put_node(TextBuffer& text, std::uint16_t index) const {
  const Node& node = nodes_[index];
  const Event& event = event_of(node);
  text << schedule_.view(event.name);
  if (node.occurrence > 1) text << "#" << std::uint32_t{node.occurrence};
  if (event.thread.size != 0) text << "@" << schedule_.view(event.thread);
}

// path[first .. last) waits for each other: each for the next, the last for the first.
void Checks::report_cycle(const std::uint16_t* path, const std::uint16_t* by, unsigned first,
                          unsigned last) {
  std::uint16_t closing = 0;  // the ordering that comes last in the text closes the cycle
  for (unsigned i = first; i < last; ++i)
    if (by[i] != kNone && by[i] > closing) closing = by[i];
  Diagnostic* found = add(true, schedule_.orderings[closing].source.at);
  if (found == nullptr) return;
  TextBuffer text(found->message, sizeof found->message);
  text << (last - first == 1
               ? "an event cannot come before itself: "
               : "these orderings form a cycle, so none of their events can happen: ");
  put_node(text, path[first]);
  for (unsigned i = last; i-- > first;) {
    text << " -> ";
    put_node(text, path[i]);
  }
}

Diagnostic* Checks::add(bool is_error, std::uint32_t offset) {
  if (count_ == capacity_) return nullptr;
  Diagnostic& result = out_[count_++];
  result.is_error = is_error;
  result.offset = offset;
  return &result;
}

bool Checks::same_code(const Ordering& a, const Ordering& b) const {
  if (a.count != b.count || a.event != b.event) return false;
  for (unsigned i = 0; i < a.count; ++i) {
    const Instruction& x = schedule_.code[a.first + i];
    const Instruction& y = schedule_.code[b.first + i];
    if (x.op != y.op || x.event != y.event) return false;
  }
  return true;
}

void Checks::warn_of_duplicates() {
  for (unsigned i = 1; i < schedule_.ordering_count; ++i)
    for (unsigned j = 0; j < i; ++j) {
      const Ordering& ordering = schedule_.orderings[i];
      if (!same_code(ordering, schedule_.orderings[j])) continue;
      Diagnostic* found = add(false, ordering.source.at);
      if (found == nullptr) return;
      TextBuffer text(found->message, sizeof found->message);
      text << "\"";
      put_ordering(text, schedule_, ordering);
      text << "\" stands there twice";
      break;
    }
}

void Checks::warn_of_own_thread(unsigned index) {
  const Ordering& ordering = schedule_.orderings[index];
  const Event& right = schedule_.events[ordering.event];
  if (right.thread.size == 0 || ordering.count != 1) return;
  const Instruction& atom = schedule_.code[ordering.first];
  const Event& left = schedule_.events[atom.event];
  bool after_end = left.kind == EventKind::end && right.kind != EventKind::start;
  if ((!after_end && atom.op != Op::blocked) || !same_thread(left, right)) return;
  Diagnostic* found = add(false, ordering.source.at);
  if (found == nullptr) return;
  TextBuffer text(found->message, sizeof found->message);
  text << "\"";
  put_ordering(text, schedule_, ordering);
  text << "\" asks for an event of a thread "
       << (after_end ? "after its end" : "while it is blocked")
       << ": it can only hold if several threads are named \"" << schedule_.view(right.thread)
       << "\"";
}

}  // namespace

unsigned check_schedule(const Schedule& schedule, Diagnostic* out, unsigned capacity) {
  return Checks(schedule, out, capacity).run();
}

bool compile_schedule(std::string_view text, Schedule& schedule, TextBuffer& error) {
  if (!parse_schedule(text, schedule, error)) return false;
  constexpr unsigned kShown = 4;
  Diagnostic found[kShown];
  unsigned count = check_schedule(schedule, found, kShown);
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) error << "\n";
    put_position(error, schedule.source(), found[i].offset);
    error << found[i].message;
    if (found[i].is_error) return false;
  }
  return true;
}

}  // namespace raddle::dsl
