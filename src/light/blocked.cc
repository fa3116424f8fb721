// SPDX-License-Identifier: Apache-2.0
//
// See blocked.h.
#include "light/blocked.h"

#include <semaphore.h>

#include "light/kernel_look.h"

namespace raddle::light {

namespace {

// Longer chains of owners than this are circles.
constexpr unsigned kChainMax = 64;

Blocked blocked_in_chain(Thread& thread, bool looks, unsigned depth);

bool is_in(std::uintptr_t address, const void* object, std::size_t size) {
  const auto first = reinterpret_cast<std::uintptr_t>(object);
  return object != nullptr && first <= address && address < first + size;
}

// Not a byte more: a condition and its mutex lie side by side.
bool is_in_mutex(std::uintptr_t address, const void* mutex) {
  return is_in(address, mutex, sizeof(pthread_mutex_t));
}
bool is_in_condition(std::uintptr_t address, const void* condition) {
  return is_in(address, condition, sizeof(pthread_cond_t));
}

// Of a wait that ends by something that is done to its object.
bool is_in_awaited(std::uintptr_t address, const Thread& thread) {
  switch (thread.kind) {
    case WaitKind::condition:
      return is_in_condition(address, thread.object);
    case WaitKind::semaphore:
      return is_in(address, thread.object, sizeof(sem_t));
    default:
      return is_in(address, thread.object, sizeof(std::uint32_t));
  }
}

// The same sleep for long enough; for waits that nobody tells us of.
Blocked asleep_for_long(Thread& thread) {
  const Look look = look_at(thread.tid);
  if (!look.asleep || look.on_time) {
    thread.look = 0;
    return Blocked::unsure;
  }
  const std::int64_t now = now_ns();
  if (thread.look != look.signature) {
    thread.look = look.signature;
    thread.look_since_ns = now;
  }
  return now - thread.look_since_ns >= kStableNs ? Blocked::yes : Blocked::unsure;
}

// Nobody we know has what the thread waits for, or who had it has ended.
Blocked owner_is_unknown(Thread& thread, bool looks) {
  return looks ? asleep_for_long(thread) : Blocked::unsure;
}

// A thread that has what another one wants.
Blocked owner_is_stuck(Thread& owner, bool looks, unsigned depth) {
  if (owner.paused_at != nullptr) return Blocked::yes;
  return blocked_in_chain(owner, looks, depth + 1);
}

Blocked blocked_at_mutex(const void* object, Thread& thread, bool looks, unsigned depth) {
  const auto* mutex = static_cast<const pthread_mutex_t*>(object);
  const pid_t tid = __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
  if (tid == 0) return Blocked::no;  // somebody takes it just now, or just gave it back
  // Its own: it has just got it, or it waits for itself.
  if (tid == thread.tid)
    return thread.kind == WaitKind::mutex && thread.value == 1 ? Blocked::yes : Blocked::no;
  Thread* owner = thread_of_tid(tid);
  if (owner == nullptr) return owner_is_unknown(thread, looks);
  // It begins to wait for a condition, and gives the mutex back by that.
  if (owner->kind == WaitKind::condition && owner->mutex == object) return Blocked::no;
  return owner_is_stuck(*owner, looks, depth);
}

// Locks that do not say who has them: all who have noted to hold it.
Blocked blocked_at_held(Thread& thread, bool looks, unsigned depth) {
  const void* object = thread.object;
  bool found = false;
  Blocked result = Blocked::yes;
  for (unsigned i = 0; i < thread_limit(); ++i) {
    Thread* owner = thread_at(static_cast<ThreadId>(i));
    if (owner == nullptr || owner->ended || owner == &thread || !holds(*owner, object)) continue;
    found = true;
    const Blocked one = owner_is_stuck(*owner, looks, depth);
    if (one == Blocked::no) return Blocked::no;
    if (one == Blocked::unsure) result = Blocked::unsure;
  }
  return found ? result : owner_is_unknown(thread, looks);
}

// Something was done to the object: is the thread still asleep there? The note of it is taken back
// before the look, so that one that is made meanwhile stays.
Blocked still_asleep(Thread& thread, bool looks, unsigned depth) {
  thread.woken = false;
  if (!is_being_woken(thread.object)) {
    const Look look = look_at(thread.tid);
    if (look.asleep && is_in_awaited(look.futex, thread)) return Blocked::yes;
    thread.woken = true;
    if (look.asleep && is_in_mutex(look.futex, thread.mutex))
      return blocked_at_mutex(thread.mutex, thread, looks, depth);
  }
  thread.woken = true;
  return Blocked::unsure;
}

Blocked blocked_in_wait(Thread& thread, bool looks, unsigned depth) {
  switch (thread.kind) {
    case WaitKind::none:
      return Blocked::no;
    case WaitKind::mutex:
      return blocked_at_mutex(thread.object, thread, looks, depth);
    case WaitKind::rwlock:
      return blocked_at_held(thread, looks, depth);
    case WaitKind::once: {
      const int state =
          __atomic_load_n(static_cast<const int*>(thread.object.load()), __ATOMIC_RELAXED);
      return (state & 2) != 0 ? Blocked::no : blocked_at_held(thread, looks, depth);
    }
    case WaitKind::join: {
      const Thread* target = awaited(thread);
      return target != nullptr && target->ended ? Blocked::no : Blocked::yes;
    }
    case WaitKind::futex: {
      const auto* word = static_cast<const std::uint32_t*>(thread.object.load());
      if (__atomic_load_n(word, __ATOMIC_RELAXED) != thread.value) return Blocked::no;
      break;
    }
    case WaitKind::barrier:  // all have come, though they may still be on their way into it
      return thread.woken ? Blocked::no : Blocked::yes;
    case WaitKind::condition:
    case WaitKind::semaphore:
      break;
  }
  return thread.woken ? still_asleep(thread, looks, depth) : Blocked::yes;
}

Blocked blocked_in_chain(Thread& thread, bool looks, unsigned depth) {
  if (thread.ended || thread.paused_at != nullptr) return Blocked::no;
  if (depth > kChainMax) return Blocked::yes;
  if (thread.kind == WaitKind::none)
    return looks && thread.tid != 0 ? asleep_for_long(thread) : Blocked::no;
  // When its time is up it goes on as soon as it gets a processor (and its mutex).
  const std::int64_t deadline = thread.deadline_ns;
  if (deadline != 0 && now_ns() >= deadline) return Blocked::unsure;
  return blocked_in_wait(thread, looks, depth);
}

}  // namespace

Blocked blocked(Thread& thread, bool looks) { return blocked_in_chain(thread, looks, 0); }

bool sleeps_in_wait(Thread& thread, const pthread_mutex_t& own, const pthread_cond_t& before) {
  const Look look = look_at(thread.tid);
  if (!look.asleep || look.futex == 0 || is_in_mutex(look.futex, &own)) return false;
  if (is_in_condition(look.futex, &before)) return true;
  switch (thread.kind) {
    case WaitKind::condition:
    case WaitKind::semaphore:
    case WaitKind::futex: {
      if (is_in_awaited(look.futex, thread)) return true;
      // Woken, it wants its mutex back; if that is news, it has to be judged anew.
      const bool was_known = thread.woken.exchange(true);
      return was_known && is_in_mutex(look.futex, thread.mutex);
    }
    default:
      return true;
  }
}

Thread* awaited(const Thread& thread) {
  if (thread.kind == WaitKind::join)
    return static_cast<Thread*>(const_cast<void*>(thread.object.load()));
  if (thread.kind != WaitKind::mutex) return nullptr;
  const auto* mutex = static_cast<const pthread_mutex_t*>(thread.object.load());
  return thread_of_tid(__atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED));
}

}  // namespace raddle::light
