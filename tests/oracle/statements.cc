// SPDX-License-Identifier: Apache-2.0
//
// Operations as C statements. Tests only.
#include "oracle/statements.h"

namespace raddle::oracle {
namespace {

std::string order(Order order) {
  constexpr std::array<const char*, 5> names = {"__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE",
                                                "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL",
                                                "__ATOMIC_SEQ_CST"};
  return names[static_cast<unsigned>(order)];
}

std::string operand(const Op& op) {
  return op.from >= 0 ? "r" + std::to_string(op.from) : std::to_string(op.value);
}

}  // namespace

std::string Statements::variable(const Op& op) const {
  if (op.in_block()) return std::string("block()->") + name_of(op.object);
  return prefix_ + "_v." + name_of(op.object);
}

std::string Statements::mutex(const Op& op) const {
  if (op.in_block()) return "&block()->m";
  return "&" + prefix_ + "_m" + std::to_string(op.object);
}

std::string Statements::rwlock(const Op& op) const {
  if (op.in_block()) return "&block()->l";
  return "&" + prefix_ + "_l" + std::to_string(op.object);
}

std::string Statements::of(const Op& op) const {
  if (op.is_access()) return access(op);
  const std::string call = sync(op);
  if (op.reg < 0) return call;
  return "r" + std::to_string(op.reg) + " = " + call + " == 0";
}

std::string Statements::access(const Op& op) const {
  const std::string where = "&" + variable(op);
  const std::string to = op.reg >= 0 ? "r" + std::to_string(op.reg) + " = " : "";
  const std::string rest = operand(op) + ", " + order(op.order) + ")";
  switch (op.what) {
    case Do::load:
      if (op.object == kWord) {
        return "unsigned short w = " + variable(op) + "; " + to + "(w & 15) | (w >> 4 & 240)";
      }
      return (to.empty() ? "(void)" : to) + variable(op);
    case Do::store:
      if (op.object == kWord) {
        return "unsigned short w = (" + operand(op) + " & 15) | (" + operand(op) + " >> 4) << 8; " +
               variable(op) + " = w";
      }
      return variable(op) + " = " + operand(op);
    case Do::atomic_load:
      return to + "__atomic_load_n(" + where + ", " + order(op.order) + ")";
    case Do::atomic_store:
      return "__atomic_store_n(" + where + ", " + rest;
    case Do::fetch_add:
      return to + "__atomic_fetch_add(" + where + ", " + rest;
    case Do::exchange:
      return to + "__atomic_exchange_n(" + where + ", " + rest;
    default:
      return "int e = " + std::to_string(op.expected) + "; __atomic_compare_exchange_n(" + where +
             ", &e, " + operand(op) + ", 0, " + order(op.order) + ", " + order(op.failure) + ")" +
             (to.empty() ? "" : "; " + to + "value(&e)");
  }
}

std::string Statements::sync(const Op& op) const {
  const std::string on = "(&" + prefix_;
  const std::string thread = std::to_string(op.object);
  switch (op.what) {
    case Do::fence:
      return "__atomic_thread_fence(" + order(op.order) + ")";
    case Do::lock:
      return "pthread_mutex_lock(" + mutex(op) + ")";
    case Do::unlock:
      return "pthread_mutex_unlock(" + mutex(op) + ")";
    case Do::try_lock:
      return "pthread_mutex_trylock(" + mutex(op) + ")";
    case Do::timed_lock:
      return "pthread_mutex_timedlock(" + mutex(op) + ", soon(&when))";
    case Do::wait:
      return "pthread_cond_wait" + on + "_c, " + mutex(op) + ")";
    case Do::timed_wait:
      return "pthread_cond_timedwait" + on + "_c, " + mutex(op) + ", soon(&when))";
    case Do::signal:
      return "pthread_cond_signal" + on + "_c)";
    case Do::broadcast:
      return "pthread_cond_broadcast" + on + "_c)";
    case Do::read_lock:
      return "pthread_rwlock_rdlock(" + rwlock(op) + ")";
    case Do::write_lock:
      return "pthread_rwlock_wrlock(" + rwlock(op) + ")";
    case Do::try_read_lock:
      return "pthread_rwlock_tryrdlock(" + rwlock(op) + ")";
    case Do::try_write_lock:
      return "pthread_rwlock_trywrlock(" + rwlock(op) + ")";
    case Do::rw_unlock:
      return "pthread_rwlock_unlock(" + rwlock(op) + ")";
    case Do::post:
      return "sem_post" + on + "_s)";
    case Do::sem_wait:
      return "sem_wait" + on + "_s)";
    case Do::try_sem_wait:
      return "sem_trywait" + on + "_s)";
    case Do::timed_sem_wait:
      return "sem_timedwait" + on + "_s, soon(&when))";
    case Do::barrier:
      return "pthread_barrier_wait" + on + "_b)";
    case Do::create:
      return "pthread_create(&h" + thread + ", " +
             (detached_ >> op.object & 1 ? "&detached" : "0") + ", " + prefix_ + "_t" + thread +
             ", 0)";
    case Do::join:
      return "pthread_join(h" + thread + ", 0)";
    case Do::detach:
      return "pthread_detach(h" + thread + ")";
    case Do::free_block:
      return "free(block())";
    case Do::exit:
      return "exit(" + std::to_string(op.value) + ")";
    case Do::quick_exit:
      return "quick_exit(" + std::to_string(op.value) + ")";
    case Do::leave:
      return "return " + std::to_string(op.value);
    default:
      return "sched_yield()";
  }
}

}  // namespace raddle::oracle
