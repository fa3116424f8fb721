// SPDX-License-Identifier: Apache-2.0
//
// Small multithreaded programs as data: what the generator makes, the emitter turns into C, and the
// brute-force interpreter runs in every order. Tests only; deliberately independent of src/model,
// so that a mistake there does not hide here.
//
// A thread is a list of operations. An operation may have a guard: it happens only if a register of
// the thread has a given value. There are two loops: `wait` with `again`: after waking, the thread
// goes back to the operation before, so load + guarded wait is the usual loop around a predicate;
// and `repeat`, by which the operations before it are carried out a second time.
//
// A *body* is a list of operations: that of a thread, or of a handler that runs when the process
// ends, in the thread that ends it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace raddle::oracle {

inline constexpr unsigned kThreads = 4;   // with the main thread, which is 0
inline constexpr unsigned kHandlers = 2;  // of exit at most, and as many of quick_exit
inline constexpr unsigned kBodies = kThreads + 2 * kHandlers;
inline constexpr unsigned kOps = 14;  // of a body
inline constexpr unsigned kRegisters = 6;
inline constexpr unsigned kPlain = 3;       // variables 0..2: two neighbouring bytes and an int
inline constexpr unsigned kVariables = 5;   // 3 and 4 are ints accessed by atomic operations
inline constexpr unsigned kHeapPlain = 5;   // an int in a heap block
inline constexpr unsigned kHeapAtomic = 6;  // an atomic int there
inline constexpr unsigned kCells = 7;
inline constexpr unsigned kWord = 7;     // variables 0 and 1 as one, low and high half
inline constexpr unsigned kMutexes = 3;  // 2 is in the heap block
inline constexpr unsigned kHeapMutex = 2;
inline constexpr unsigned kRwlocks = 2;  // 1 is in the heap block
inline constexpr unsigned kHeapRwlock = 1;

enum class Do : std::uint8_t {
  load,  // reg = variable[object]
  store,
  atomic_load,
  atomic_store,
  fetch_add,  // reg = value before
  exchange,
  compare_exchange,  // if variable is `expected`; reg = value before
  fence,
  lock,
  unlock,
  try_lock,  // reg = 1 if it got the lock; likewise all that can fail
  timed_lock,
  wait,  // condition variable 0, with mutex[object]
  timed_wait,
  signal,
  broadcast,
  read_lock,
  write_lock,
  try_read_lock,
  try_write_lock,
  rw_unlock,
  post,
  sem_wait,
  try_sem_wait,
  timed_sem_wait,
  barrier,
  create,  // thread[object]
  join,
  detach,
  free_block,  // the heap block
  leave,       // return `value` from main
  exit,        // exit(value)
  quick_exit,
  repeat,  // the `object` operations before this once more; no step
  yield,
};

enum class Order : std::uint8_t { relaxed, acquire, release, acq_rel, seq_cst };

struct Op {
  Do what = Do::yield;
  std::uint8_t object = 0;
  std::int8_t reg = -1;   // where the result goes
  std::int8_t from = -1;  // the register whose value is stored or added, or -1: `value` is
  std::uint8_t value = 0;
  std::uint8_t expected = 0;
  Order order = Order::seq_cst;
  Order failure = Order::relaxed;  // of a compare_exchange that fails
  std::int8_t guard = -1;          // a register, or -1: no guard
  std::uint8_t guard_value = 0;
  bool again = false;

  bool is_access() const { return what <= Do::compare_exchange; }
  bool is_timed() const {
    return what == Do::timed_lock || what == Do::timed_wait || what == Do::timed_sem_wait;
  }
  bool is_atomic() const { return what >= Do::atomic_load && what <= Do::compare_exchange; }
  bool is_rwlock() const { return what >= Do::read_lock && what <= Do::rw_unlock; }
  bool is_mutex() const {
    return what >= Do::lock && what <= Do::timed_wait;  // those that wait need their mutex, too
  }
  bool ends_process() const { return what >= Do::leave && what <= Do::quick_exit; }
  // The bytes that it reads or writes, as a set of cells.
  unsigned cells() const {
    if (what == Do::free_block) return 1u << kHeapPlain | 1u << kHeapAtomic;
    if (!is_access()) return 0;
    return object == kWord ? 3u : 1u << object;
  }
  bool in_block() const {
    if (is_access()) return object == kHeapPlain || object == kHeapAtomic;
    return (is_mutex() && object == kHeapMutex) || (is_rwlock() && object == kHeapRwlock);
  }
};

struct Program {
  std::uint64_t seed = 0;
  std::vector<std::vector<Op>> threads;
  std::uint8_t semaphore = 0;  // its first value
  std::uint8_t barrier = 2;    // how many threads it waits for
  bool timers_any = false;     // a time-out may happen at any time, not only when idle
  // Of exit and return from main, and of quick_exit; each in the order of registration.
  std::array<std::vector<std::vector<Op>>, 2> handlers = {};
  std::uint8_t detached = 0;  // a set of threads, created as such

  // Threads come first, then the handlers of exit, then those of quick_exit.
  const std::vector<Op>& body(unsigned number) const;
  bool has_body(unsigned number) const;
};

constexpr unsigned handler_body(unsigned quick, unsigned index) {
  return kThreads + quick * kHandlers + index;
}

// A place in a program: body * 100 + number of the operation from 1. It is also the line of that
// operation in the emitted C.
constexpr unsigned site(unsigned body, unsigned op) { return body * 100 + op + 1; }

const char* name_of(unsigned variable);
const char* name_of(Order order);

// "r0 = a0.load(acquire)"
std::string text(const Op& op);
// One operation a line, with its site.
std::string text(const Program& program);

}  // namespace raddle::oracle
