// SPDX-License-Identifier: Apache-2.0
//
// See threads.h.
#include "light/threads.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "light/enforcer.h"
#include "light/real.h"
#include "light/say.h"

namespace raddle::light {

namespace {

constinit Thread threads[kThreadsMax];
std::atomic<unsigned> limit{0};

constinit thread_local Thread* current = nullptr;

// Its destructor is how the end of a thread is seen, whichever way it ends.
pthread_key_t end_key;
pthread_once_t end_key_made = PTHREAD_ONCE_INIT;

pid_t own_tid() { return static_cast<pid_t>(LIGHT_REAL(syscall)(SYS_gettid)); }

void thread_ends(void* record) {
  enforcer::end_thread(*static_cast<Thread*>(record));
  current = nullptr;  // what other destructors of this thread still do has a record of its own
}

// Only the thread that forked is left in the child.
void forked_in_child() {
  enforcer::forget_after_fork();
  for (unsigned i = 0; i < limit; ++i)
    if (&threads[i] != current) threads[i].used = false;
  if (current != nullptr) current->tid = own_tid();
}

void make_end_key() {
  pthread_key_create(&end_key, thread_ends);
  pthread_atfork(nullptr, nullptr, forked_in_child);
}

void clear(Thread& thread) {
  thread.ended = false;
  thread.tid = 0;
  thread.handle = pthread_t{};
  thread.name[0] = 0;
  thread.kind = WaitKind::none;
  thread.woken = false;
  thread.waking = nullptr;
  for (auto& object : thread.held) object = nullptr;
  thread.paused_at = nullptr;
  thread.look = 0;
}

Thread* take_free_record() {
  for (unsigned i = 0; i < kThreadsMax; ++i) {
    bool expected = false;
    if (!threads[i].used.compare_exchange_strong(expected, true)) continue;
    clear(threads[i]);
    unsigned seen = limit;
    while (seen < i + 1 && !limit.compare_exchange_weak(seen, i + 1)) {
    }
    return &threads[i];
  }
  return nullptr;
}

// The initial thread is known from the start, even if it never meets us.
__attribute__((constructor)) void know_initial_thread() {
  Thread& thread = current_thread();
  __builtin_memcpy(thread.name, "main", 5);
}

}  // namespace

std::int64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1000000000} + now.tv_nsec;
}

Thread& new_thread(void* (*start)(void*), void* argument) {
  Thread* thread = take_free_record();
  if (thread == nullptr && !enforcer::in_force()) {
    recycle_threads();
    thread = take_free_record();
  }
  if (thread == nullptr) {
    say("raddle: more than 1024 threads while an event schedule is in force\n");
    abort();
  }
  thread->start = start;
  thread->argument = argument;
  return *thread;
}

void drop_thread(Thread& thread) { thread.used = false; }

void adopt_thread(Thread& thread) {
  LIGHT_REAL(pthread_once)(&end_key_made, make_end_key);
  thread.tid = own_tid();
  thread.handle = pthread_self();
  current = &thread;
  pthread_setspecific(end_key, &thread);
}

Thread& current_thread() {
  if (current == nullptr) adopt_thread(new_thread(nullptr, nullptr));
  return *current;
}

ThreadId id_of(const Thread& thread) { return static_cast<ThreadId>(&thread - threads); }

Thread* thread_at(ThreadId id) { return id < limit && threads[id].used ? &threads[id] : nullptr; }

unsigned thread_limit() { return limit; }

Thread* thread_of_tid(pid_t tid) {
  for (unsigned i = 0; i < limit; ++i)
    if (threads[i].used && !threads[i].ended && threads[i].tid == tid) return &threads[i];
  return nullptr;
}

Thread* thread_of_handle(pthread_t handle) {
  // A handle is used again once its thread was joined: the living one is meant, if there is one.
  Thread* found = nullptr;
  for (unsigned i = 0; i < limit; ++i) {
    if (!threads[i].used || threads[i].handle != handle) continue;
    found = &threads[i];
    if (!found->ended) break;
  }
  return found;
}

void recycle_threads() {
  for (unsigned i = 0; i < limit; ++i)
    if (threads[i].used && threads[i].ended) threads[i].used = false;
}

WaitScope::WaitScope(const Wait& wait) : thread_(current_thread()) {
  thread_.object.store(wait.object, std::memory_order_relaxed);
  thread_.mutex.store(wait.mutex, std::memory_order_relaxed);
  thread_.value.store(wait.value, std::memory_order_relaxed);
  thread_.deadline_ns.store(wait.deadline_ns, std::memory_order_relaxed);
  thread_.woken.store(false, std::memory_order_relaxed);
  // In one order with enforcer::begin(): either it sees the wait, or we see the schedule.
  thread_.kind.store(wait.kind, std::memory_order_seq_cst);
  if (enforcer::in_force()) enforcer::thread_waits(thread_);
}

WaitScope::~WaitScope() {
  if (!enforcer::in_force()) {
    thread_.kind.store(WaitKind::none, std::memory_order_seq_cst);
    return;
  }
  thread_.woken.store(true, std::memory_order_relaxed);
  enforcer::Lock lock;
  thread_.kind.store(WaitKind::none, std::memory_order_relaxed);
}

void note_wake(const void* object) {
  for (unsigned i = 0; i < limit; ++i)
    if (threads[i].used && threads[i].kind != WaitKind::none && threads[i].object == object)
      threads[i].woken = true;
}

WakeScope::WakeScope(const void* object) : noted_(enforcer::in_force()) {
  if (!noted_) return;
  current_thread().waking = object;
  note_wake(object);
}

WakeScope::~WakeScope() {
  if (noted_) current_thread().waking = nullptr;
}

bool is_being_woken(const void* object) {
  for (unsigned i = 0; i < limit; ++i)
    if (threads[i].used && threads[i].waking == object) return true;
  return false;
}

unsigned waiters_of(const void* object) {
  unsigned count = 0;
  for (unsigned i = 0; i < limit; ++i)
    if (threads[i].used && threads[i].kind != WaitKind::none && threads[i].object == object &&
        !threads[i].woken)
      ++count;
  return count;
}

void hold(const void* object) {
  for (auto& slot : current_thread().held) {
    if (slot.load(std::memory_order_relaxed) != nullptr) continue;
    slot.store(object, std::memory_order_relaxed);
    return;
  }  // no room: who waits for it is looked at instead
}

void let_go(const void* object) {
  for (auto& slot : current_thread().held) {
    if (slot.load(std::memory_order_relaxed) != object) continue;
    slot.store(nullptr, std::memory_order_relaxed);
    return;
  }
}

bool holds(const Thread& thread, const void* object) {
  for (const auto& slot : thread.held)
    if (slot.load(std::memory_order_relaxed) == object) return true;
  return false;
}

}  // namespace raddle::light
