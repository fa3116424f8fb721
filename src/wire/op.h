// SPDX-License-Identifier: Apache-2.0
//
// What a thread can do, as data that crosses the process boundary: the kinds of operations, the
// place in memory they concern, and one table with what every kind means. Both sides.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace raddle::wire {

// Adding a kind: append a row to RADDLE_OP_KINDS, bump kProtocolVersion and kEventVersion.
// Columns: name, word in reports, class.
//   sync    an operation on a synchronisation object: dependent on every other one on the object
//   shared  like sync, but two of these on one object are independent (read locks; unlocks of them
//           are of this class, too: op_class() of two arguments; leaving a barrier)
//   load / store / rmw   atomic accesses, ordered by the bytes they touch
//   read / write         plain accesses, ordered by the bytes they touch
//   thread  creates, ends or waits for a thread: orders, but does not race
//   global  concerns any thread at any point (signals): dependent on everything
//   pause   gives way: touches nothing
//   mark    a record beside the schedule, never a step
#define RADDLE_OP_KINDS(X)                        \
  X(none, "none", mark)                           \
  X(thread_start, "start", thread)                \
  X(thread_create, "create", thread)              \
  X(thread_exit, "exit", thread)                  \
  X(thread_join, "join", thread)                  \
  X(thread_detach, "detach", thread)              \
  X(mutex_lock, "lock", sync)                     \
  X(mutex_try_lock, "try-lock", sync)             \
  X(mutex_timed_lock, "timed-lock", sync)         \
  X(mutex_unlock, "unlock", sync)                 \
  X(rwlock_read, "read-lock", shared)             \
  X(rwlock_try_read, "try-read-lock", shared)     \
  X(rwlock_timed_read, "timed-read-lock", shared) \
  X(rwlock_write, "write-lock", sync)             \
  X(rwlock_try_write, "try-write-lock", sync)     \
  X(rwlock_timed_write, "timed-write-lock", sync) \
  X(rwlock_unlock, "rw-unlock", sync)             \
  X(cond_wait, "wait", sync)                      \
  X(cond_wake, "wake", sync)                      \
  X(cond_signal, "notify-one", sync)              \
  X(cond_broadcast, "notify-all", sync)           \
  X(sem_wait, "sem-wait", sync)                   \
  X(sem_try_wait, "sem-try-wait", sync)           \
  X(sem_timed_wait, "sem-timed-wait", sync)       \
  X(sem_post, "sem-post", sync)                   \
  X(barrier_arrive, "barrier-arrive", sync)       \
  X(barrier_leave, "barrier-leave", shared)       \
  X(once_enter, "once-enter", sync)               \
  X(once_leave, "once-leave", sync)               \
  X(futex_wait, "futex-wait", sync)               \
  X(futex_resume, "futex-resume", sync)           \
  X(futex_wake, "futex-wake", sync)               \
  X(object_init, "init", sync)                    \
  X(object_destroy, "destroy", sync)              \
  X(atomic_load, "atomic-load", load)             \
  X(atomic_store, "atomic-store", store)          \
  X(atomic_rmw, "atomic-rmw", rmw)                \
  X(atomic_cas, "atomic-cas", rmw)                \
  X(fence, "fence", pause)                        \
  X(plain_read, "read", read)                     \
  X(plain_write, "write", write)                  \
  X(memory_free, "free", write)                   \
  X(yield, "yield", pause)                        \
  X(sleep, "sleep", pause)                        \
  X(tick, "tick", pause)                          \
  X(value, "value", pause)                        \
  X(run_end, "end", mark)                         \
  X(frame, "frame", mark)                         \
  X(held, "held", mark)                           \
  X(race, "race", mark)                           \
  X(race_with, "race-with", mark)                 \
  X(allocated, "allocated", mark)                 \
  X(freed, "freed", mark)                         \
  X(io_read, "input", sync)                       \
  X(io_write, "output", sync)                     \
  X(io_poll, "poll", sync)                        \
  X(io_accept, "accept", sync)                    \
  X(io_connect, "connect", sync)                  \
  X(io_close, "close", sync)                      \
  X(file_lock, "file-lock", sync)                 \
  X(child_start, "start-child", sync)             \
  X(child_wait, "wait-child", sync)               \
  X(signal_send, "signal", global)                \
  X(signal_handle, "handle-signal", global)       \
  X(signal_wait, "signal-wait", global)           \
  X(thread_cancel, "cancel", global)              \
  X(team_start, "start-team", sync)               \
  X(team_idle, "idle", sync)                      \
  X(work_claim, "claim", sync)                    \
  X(work_ordered, "ordered", sync)                \
  X(task_create, "create-task", sync)             \
  X(task_start, "start-task", sync)               \
  X(task_wait, "wait-for-tasks", sync)            \
  X(event, "event", sync)                         \
  X(event_name, "event-name", mark)               \
  X(pending, "pending", mark)                     \
  X(local, "local", mark)                         \
  X(process_exit, "exit-process", sync)           \
  X(process_end, "end-process", sync)

enum class OpKind : std::uint8_t {
#define RADDLE_OP_ENUM(name, word, cls) name,
  RADDLE_OP_KINDS(RADDLE_OP_ENUM)
#undef RADDLE_OP_ENUM
      count
};

enum class OpClass : std::uint8_t {
  sync,
  shared,
  load,
  store,
  rmw,
  read,
  write,
  thread,
  global,
  pause,
  mark
};

inline constexpr OpClass kOpClasses[] = {
#define RADDLE_OP_CLASS(name, word, cls) OpClass::cls,
    RADDLE_OP_KINDS(RADDLE_OP_CLASS)
#undef RADDLE_OP_CLASS
};

inline constexpr const char* kOpWords[] = {
#define RADDLE_OP_WORD(name, word, cls) word,
    RADDLE_OP_KINDS(RADDLE_OP_WORD)
#undef RADDLE_OP_WORD
};

constexpr OpClass op_class(OpKind kind) { return kOpClasses[static_cast<unsigned>(kind)]; }
// What `order` says of an unlock of a read-write lock: that a reader gives it back.
inline constexpr std::uint8_t kReadSide = 1;
// The class of an operation, where that is more than its kind.
constexpr OpClass op_class(OpKind kind, std::uint8_t order) {
  if (kind == OpKind::rwlock_unlock && order == kReadSide) return OpClass::shared;
  return op_class(kind);
}
constexpr const char* op_word(OpKind kind) {
  return kind < OpKind::count ? kOpWords[static_cast<unsigned>(kind)] : "invalid";
}
// Asks for a mutex or a read-write lock, whether it waits for it, for a while, or not at all.
constexpr bool takes_lock(OpKind kind) {
  switch (kind) {
    case OpKind::mutex_lock:
    case OpKind::mutex_try_lock:
    case OpKind::mutex_timed_lock:
    case OpKind::rwlock_read:
    case OpKind::rwlock_try_read:
    case OpKind::rwlock_timed_read:
    case OpKind::rwlock_write:
    case OpKind::rwlock_try_write:
    case OpKind::rwlock_timed_write:
      return true;
    default:
      return false;
  }
}

constexpr bool is_memory_access(OpKind kind) {
  OpClass c = op_class(kind);
  return c == OpClass::load || c == OpClass::store || c == OpClass::rmw || c == OpClass::read ||
         c == OpClass::write;
}
constexpr bool is_plain_access(OpKind kind) {
  return kind == OpKind::plain_read || kind == OpKind::plain_write;
}
// A compare-exchange counts as a write even when it fails.
constexpr bool writes_memory(OpKind kind) {
  OpClass c = op_class(kind);
  return c == OpClass::store || c == OpClass::rmw || c == OpClass::write;
}

// Where a byte lives, never as a bare address: recycled blocks and stacks must not look like the
// same place, and the number must be the same in every run.
enum class Region : std::uint8_t {
  none = 0,
  global = 1,   // id: index of the module, offset: from its load address
  heap = 2,     // id: number of the allocation in this run, offset: into the block
  stack = 3,    // id: thread, offset: bytes below the top of its stack
  other = 4,    // id: upper bits of the address, offset: lower 32 bits (mapped memory)
  outside = 5,  // no memory: a descriptor, a team; id: DescriptorKind, offset: the how manieth
};

// What an open file descriptor leads to. Numbers of descriptors depend on what is open already, so
// they are named by kind and order of creation in the run.
enum class DescriptorKind : std::uint8_t {
  unknown,  // made before the run, or by a call that is not watched; offset 0 to 2: a standard one
  pipe,     // both ends
  pair,     // both sockets of a socketpair
  event,    // eventfd
  timer,    // timerfd
  poller,   // epoll
  socket,   // any other socket
  team,     // no descriptor: an OpenMP team
  work,     // no descriptor: a loop, sections or single that an OpenMP team shares
  order,    // no descriptor: the event schedule in force
  process,  // no descriptor: the process, which threads exit (offset 0) and end (1)
};

struct Location {
  std::uint32_t region_id = 0;  // Region in the top 4 bits, id below
  std::uint32_t offset = 0;

  constexpr Region region() const { return static_cast<Region>(region_id >> 28); }
  constexpr std::uint32_t id() const { return region_id & 0x0fffffffu; }
  constexpr std::uint64_t key() const { return (std::uint64_t{region_id} << 32) | offset; }
  static constexpr Location of_key(std::uint64_t key) {
    return {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)};
  }
  friend constexpr bool operator==(const Location&, const Location&) = default;
};

constexpr Location make_location(Region region, std::uint32_t id, std::uint32_t offset) {
  return {(static_cast<std::uint32_t>(region) << 28) | (id & 0x0fffffffu), offset};
}

}  // namespace raddle::wire
