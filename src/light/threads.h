// SPDX-License-Identifier: Apache-2.0
//
// The threads of the process and what each waits for, as far as the light library sees it. Inside
// the program under test (RADDLE_LIGHT): libc and pthread only, no allocation.
//
// Every thread made by pthread_create has a record from before it starts until it has ended. Waits
// are noted in it whether or not a schedule is in force, because the schedule of a test may begin
// when a thread already waits; this costs a few stores beside a wait. What else is written, is
// written under the lock of the enforcer (enforcer.h).
//
// invariant: while a schedule is in force, a wait is taken back under that lock, so that who holds
// it may look at the object of a wait.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "base/ids.h"
#include "dsl/schedule_table.h"

namespace raddle::light {

inline constexpr unsigned kThreadsMax = 1024;
inline constexpr unsigned kThreadNameSize = 32;
inline constexpr unsigned kHeldMax = 16;

enum class WaitKind : std::uint8_t {
  none,
  mutex,
  rwlock,
  condition,
  semaphore,
  barrier,
  join,
  futex,
  once,
};

// The deadline of a wait that another process may end: there is one, but nobody knows when.
inline constexpr std::int64_t kUnknownDeadline = INT64_MAX;

struct Wait {
  WaitKind kind = WaitKind::none;
  const void* object = nullptr;
  const void* mutex = nullptr;   // of a condition: taken again in the end
  std::uint32_t value = 0;       // of a futex: what it holds while the thread waits; of a mutex:
                                 // 1 if the thread has it already
  std::int64_t deadline_ns = 0;  // CLOCK_MONOTONIC; 0: none
};

struct Thread {
  std::atomic<bool> used{false};
  std::atomic<bool> ended{false};
  std::atomic<pid_t> tid{0};  // 0: not started yet
  std::atomic<pthread_t> handle{};
  char name[kThreadNameSize] = {};

  // The wait: `kind` is written last, and first when it is over.
  std::atomic<WaitKind> kind{WaitKind::none};
  std::atomic<const void*> object{nullptr};
  std::atomic<const void*> mutex{nullptr};
  std::atomic<std::uint32_t> value{0};
  std::atomic<std::int64_t> deadline_ns{0};
  // Somebody has done something that may end the wait; only the kernel knows whether it has.
  std::atomic<bool> woken{false};
  // It is about to wake those who wait for this.
  std::atomic<const void*> waking{nullptr};

  // Reader-writer locks that it has, and once-controls that it runs.
  std::atomic<const void*> held[kHeldMax] = {};

  // Held back at an event: its name ("start" and "end" too), or null.
  const char* paused_at = nullptr;
  dsl::EventKind paused_kind = dsl::EventKind::named;
  std::int64_t paused_since_ns = 0;

  // What the last look at it (kernel_look.h) has shown, and since when.
  std::uint64_t look = 0;
  std::int64_t look_since_ns = 0;

  // For the start of the thread.
  void* (*start)(void*) = nullptr;
  void* argument = nullptr;
};

// The record of the current thread; made at need for those that pthread_create did not make.
Thread& current_thread();
ThreadId id_of(const Thread& thread);
// Null: there is none.
Thread* thread_at(ThreadId id);
Thread* thread_of_tid(pid_t tid);
Thread* thread_of_handle(pthread_t handle);
// Records are below this index.
unsigned thread_limit();

// A record for a thread that is about to be made, and its end if it could not be made.
Thread& new_thread(void* (*start)(void*), void* argument);
void drop_thread(Thread& thread);
// In the thread itself.
void adopt_thread(Thread& thread);

// Records of ended threads may be used again. Not while a schedule is in force: ids are to name one
// thread.
void recycle_threads();

// Where a wait begins and ends, in the waiting thread.
class WaitScope {
 public:
  explicit WaitScope(const Wait& wait);
  ~WaitScope();
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;

 private:
  Thread& thread_;
};

// Whoever waits for the object may go on.
void note_wake(const void* object);

// Around a call that may end the waits for an object: a look at who waits there proves something
// only after it.
class WakeScope {
 public:
  explicit WakeScope(const void* object);
  ~WakeScope();
  WakeScope(const WakeScope&) = delete;
  WakeScope& operator=(const WakeScope&) = delete;

 private:
  bool noted_;
};
bool is_being_woken(const void* object);

// The number of threads that wait for it and have not been woken.
unsigned waiters_of(const void* object);

void hold(const void* object);
void let_go(const void* object);
bool holds(const Thread& thread, const void* object);

std::int64_t now_ns();

}  // namespace raddle::light
