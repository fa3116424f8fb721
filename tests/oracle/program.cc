// SPDX-License-Identifier: Apache-2.0
//
// Small programs in words, for reports of failing cases. Tests only.
#include "oracle/program.h"

namespace raddle::oracle {
namespace {

std::string operand(const Op& op) {
  return op.from >= 0 ? "r" + std::to_string(op.from) : std::to_string(op.value);
}

std::string access(const Op& op) {
  const std::string variable = name_of(op.object);
  const std::string order = name_of(op.order);
  switch (op.what) {
    case Do::load:
      return variable;
    case Do::store:
      return variable + " = " + operand(op);
    case Do::atomic_load:
      return variable + ".load(" + order + ")";
    case Do::atomic_store:
      return variable + ".store(" + operand(op) + ", " + order + ")";
    case Do::fetch_add:
      return variable + ".fetch_add(" + operand(op) + ", " + order + ")";
    case Do::exchange:
      return variable + ".exchange(" + operand(op) + ", " + order + ")";
    default:
      return variable + ".compare_exchange(" + std::to_string(op.expected) + ", " + operand(op) +
             ", " + order + ", " + name_of(op.failure) + ")";
  }
}

std::string call(const Op& op) {
  if (op.is_access()) return access(op);
  const std::string number = std::to_string(op.object);
  switch (op.what) {
    case Do::fence:
      return std::string("fence(") + name_of(op.order) + ")";
    case Do::lock:
      return "lock(m" + number + ")";
    case Do::unlock:
      return "unlock(m" + number + ")";
    case Do::try_lock:
      return "try_lock(m" + number + ")";
    case Do::timed_lock:
      return "timed_lock(m" + number + ")";
    case Do::wait:
      return "wait(c, m" + number + ")" + (op.again ? ", then again" : "");
    case Do::timed_wait:
      return "timed_wait(c, m" + number + ")";
    case Do::signal:
      return "signal(c)";
    case Do::broadcast:
      return "broadcast(c)";
    case Do::read_lock:
      return "read_lock(l" + number + ")";
    case Do::write_lock:
      return "write_lock(l" + number + ")";
    case Do::try_read_lock:
      return "try_read_lock(l" + number + ")";
    case Do::try_write_lock:
      return "try_write_lock(l" + number + ")";
    case Do::rw_unlock:
      return "rw_unlock(l" + number + ")";
    case Do::post:
      return "post(s)";
    case Do::sem_wait:
      return "sem_wait(s)";
    case Do::try_sem_wait:
      return "try_sem_wait(s)";
    case Do::timed_sem_wait:
      return "timed_sem_wait(s)";
    case Do::barrier:
      return "barrier(b)";
    case Do::create:
      return "create(T" + number + ")";
    case Do::join:
      return "join(T" + number + ")";
    case Do::detach:
      return "detach(T" + number + ")";
    case Do::free_block:
      return "free(h)";
    case Do::leave:
      return "return " + std::to_string(op.value);
    case Do::exit:
      return "exit(" + std::to_string(op.value) + ")";
    case Do::quick_exit:
      return "quick_exit(" + std::to_string(op.value) + ")";
    case Do::repeat:
      return "the " + number + " before once more";
    default:
      return "yield()";
  }
}

std::string title(const Program& program, unsigned body) {
  if (body >= handler_body(1, 0)) return "handler of quick_exit";
  if (body >= handler_body(0, 0)) return "handler of exit";
  const bool detached = program.detached >> body & 1;
  return "T" + std::to_string(body) + (detached ? ", detached" : "");
}

}  // namespace

const std::vector<Op>& Program::body(unsigned number) const {
  if (number < kThreads) return threads[number];
  const unsigned handler = number - kThreads;
  return handlers[handler / kHandlers][handler % kHandlers];
}

bool Program::has_body(unsigned number) const {
  if (number < kThreads) return number < threads.size();
  const unsigned handler = number - kThreads;
  return handler % kHandlers < handlers[handler / kHandlers].size();
}

const char* name_of(unsigned variable) {
  constexpr std::array<const char*, kWord + 1> names = {"p0", "p1", "p2", "a0",
                                                        "a1", "h0", "h1", "p01"};
  return names[variable];
}

const char* name_of(Order order) {
  constexpr std::array<const char*, 5> names = {"relaxed", "acquire", "release", "acq_rel",
                                                "seq_cst"};
  return names[static_cast<unsigned>(order)];
}

std::string text(const Op& op) {
  std::string line;
  if (op.guard >= 0) {
    line = "if (r" + std::to_string(op.guard) + " == " + std::to_string(op.guard_value) + ") ";
  }
  if (op.reg >= 0) line += "r" + std::to_string(op.reg) + " = ";
  return line + call(op);
}

std::string text(const Program& program) {
  std::string all = "seed " + std::to_string(program.seed) + ", semaphore " +
                    std::to_string(program.semaphore) + ", barrier of " +
                    std::to_string(program.barrier) + ", time-outs " +
                    (program.timers_any ? "at any time" : "when idle") + "\n";
  for (unsigned b = 0; b < kBodies; ++b) {
    if (!program.has_body(b)) continue;
    all += title(program, b) + "\n";
    const std::vector<Op>& ops = program.body(b);
    for (unsigned i = 0; i < ops.size(); ++i) {
      all += "  " + std::to_string(site(b, i)) + "  " + text(ops[i]) + "\n";
    }
  }
  return all;
}

}  // namespace raddle::oracle
