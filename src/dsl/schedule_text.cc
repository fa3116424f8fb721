// SPDX-License-Identifier: Apache-2.0
//
// See schedule_text.h. Conditions are postfix programs: an operator's right operand ends just
// before it, and its left operand ends just before the right one begins.
#include "dsl/schedule_text.h"

namespace raddle::dsl {
namespace {

bool is_operator(Op op) { return op == Op::both || op == Op::either; }

// Where the operand that ends at code[last] begins.
unsigned first_of(const Instruction* code, unsigned last) {
  for (unsigned missing = 1;; --last) {
    missing += is_operator(code[last].op) ? 1 : -1;
    if (missing == 0) return last;
  }
}

class Printer {
 public:
  Printer(TextBuffer& out, const Schedule& schedule) : out_(out), schedule_(schedule) {}

  void put(unsigned last) {
    const Instruction& here = schedule_.code[last];
    if (!is_operator(here.op)) {
      if (here.op == Op::blocked) out_ << "[";
      put_event(out_, schedule_, here.event);
      if (here.op == Op::blocked) out_ << "]";
      return;
    }
    unsigned right = last - 1;
    unsigned left = first_of(schedule_.code, right) - 1;
    // Both operators group to the left; && binds tighter.
    put_operand(left, here.op == Op::both && schedule_.code[left].op == Op::either);
    out_ << (here.op == Op::both ? " && " : " || ");
    put_operand(right, schedule_.code[right].op == here.op ||
                           (here.op == Op::both && schedule_.code[right].op == Op::either));
  }

 private:
  void put_operand(unsigned last, bool parentheses) {
    if (parentheses) out_ << "(";
    put(last);
    if (parentheses) out_ << ")";
  }

  TextBuffer& out_;
  const Schedule& schedule_;
};

}  // namespace

void put_event(TextBuffer& out, const Schedule& schedule, EventIndex index) {
  const Event& event = schedule.events[index];
  out << schedule.view(event.name);
  if (event.occurrence != 0) out << "#" << std::uint32_t{event.occurrence};
  if (event.thread.size != 0) out << "@" << schedule.view(event.thread);
}

void put_condition(TextBuffer& out, const Schedule& schedule, const Ordering& ordering) {
  Printer(out, schedule).put(ordering.first + ordering.count - 1u);
}

void put_ordering(TextBuffer& out, const Schedule& schedule, const Ordering& ordering) {
  put_condition(out, schedule, ordering);
  out << " -> ";
  put_event(out, schedule, ordering.event);
}

void put_schedule(TextBuffer& out, const Schedule& schedule) {
  for (unsigned i = 0; i < schedule.ordering_count; ++i) {
    if (i > 0) out << ", ";
    put_ordering(out, schedule, schedule.orderings[i]);
  }
}

}  // namespace raddle::dsl
