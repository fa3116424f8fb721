// SPDX-License-Identifier: Apache-2.0
//
// Small multithreaded programs as data: what the generator makes, the emitter turns into C, and the
// brute-force interpreter runs in every order. Tests only; deliberately independent of src/model,
// so that a mistake there does not hide here.
//
// A thread is a list of operations. An operation may have a guard: it happens only if a register of
// the thread has a given value. The only loop is `wait` with `again`: after waking, the thread goes
// back to the operation before, so load + guarded wait is the usual loop around a predicate.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace raddle::oracle {

inline constexpr unsigned kThreads = 4;  // with the main thread, which is 0
inline constexpr unsigned kOps = 14;     // of a thread
inline constexpr unsigned kRegisters = 6;
inline constexpr unsigned kPlain = 3;      // variables 0..2: two neighbouring bytes and an int
inline constexpr unsigned kVariables = 5;  // 3 and 4 are ints accessed by atomic operations
inline constexpr unsigned kMutexes = 2;

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
};

struct Program {
  std::uint64_t seed = 0;
  std::vector<std::vector<Op>> threads;
  std::uint8_t semaphore = 0;  // its first value
  std::uint8_t barrier = 2;    // how many threads it waits for
  bool timers_any = false;     // a time-out may happen at any time, not only when idle
};

// A place in a program: thread * 100 + number of the operation from 1. It is also the line of that
// operation in the emitted C.
constexpr unsigned site(unsigned thread, unsigned op) { return thread * 100 + op + 1; }

const char* name_of(unsigned variable);
const char* name_of(Order order);

// "r0 = a0.load(acquire)"
std::string text(const Op& op);
// One operation a line, with its site.
std::string text(const Program& program);

}  // namespace raddle::oracle
