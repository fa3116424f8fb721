// SPDX-License-Identifier: Apache-2.0
//
// Judging misuse. Target side. Messages are clauses about the current thread; {} stands for the
// object, whose name the engine knows.
#include "runtime/misuse.h"

#include "runtime/controller.h"
#include "runtime/fatal.h"
#include "runtime/locate.h"

namespace raddle::runtime {
namespace {

using model::ObjectKind;
using wire::VerdictKind;

void blame(std::uintptr_t object, SiteId site) {
  g.shared->verdict.where = object != 0 ? locate(object) : wire::Location{};
  view_of(*g.current).op.site = site;
}

[[noreturn]] void end() { end_run({.kind = VerdictKind::sync_misuse}); }

// Who holds the object, if it is known.
ThreadId holder_of(const SyncObject& object) {
  if (object.kind == ObjectKind::mutex) return object.mutex.owner;
  if (object.kind == ObjectKind::rwlock) return object.rwlock.writer;
  return kNoThread;
}

}  // namespace

void say_thread(ThreadId thread) {
  char digits[8];
  unsigned at = sizeof digits;
  digits[--at] = '\0';
  unsigned rest = thread;
  do {
    digits[--at] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  say("T");
  say(&digits[at]);
}

void check_unlock(const SyncObject& mutex, SiteId site) {
  if (!running()) return;
  blame(mutex.address, site);
  say("unlocks {}, which ");
  if (mutex.mutex.owner == kNoThread)
    say("nobody");
  else
    say_thread(mutex.mutex.owner);
  say(" holds");
  end();
}

namespace {

// Whom the object keeps waiting. Threads whose barrier round is complete are not blocked any more:
// the last one to arrive may destroy the barrier before they have left.
ThreadId blocked_waiter(const SyncObject& object) {
  if (object.kind != ObjectKind::barrier) return object.first_waiter;
  ThreadId id = object.first_waiter;
  while (id != kNoThread && object.barrier.grants_leave(g.fibers[id].ticket))
    id = g.fibers[id].next_waiter;
  return id;
}

}  // namespace

void check_destroy(const SyncObject& object, std::uintptr_t pc) {
  if (!running()) return;
  ThreadId holder = holder_of(object);
  bool read_locked = object.kind == ObjectKind::rwlock && object.rwlock.readers > 0;
  ThreadId waiter = blocked_waiter(object);
  if (holder == kNoThread && !read_locked && waiter == kNoThread) return;
  blame(object.address, site_of(pc));
  say("destroys {}, which ");
  if (holder != kNoThread) {
    say_thread(holder);
    say(" holds");
  } else if (read_locked) {
    say("is locked for reading");
  } else {
    say_thread(waiter);
    say(" waits for");
  }
  end();
}

void report_dead_use(const void* object, std::uintptr_t pc) {
  blame(reinterpret_cast<std::uintptr_t>(object), site_of(pc));
  say("uses {} after it was destroyed");
  end();
}

void report_unborn_use(const void* object, std::uintptr_t pc) {
  blame(reinterpret_cast<std::uintptr_t>(object), site_of(pc));
  say("uses {}, which was never initialised");
  end();
}

void check_wait(const SyncObject& condvar, const SyncObject& mutex, SiteId site) {
  if (!running()) return;
  for_each_waiter(condvar, [&](const Fiber& waiter) {
    if (waiter.object == &mutex || waiter.object == nullptr) return;
    blame(condvar.address, site);
    say("waits on {} with another mutex than ");
    say_thread(waiter.id);
    end();
  });
}

void report_lock_misuse(std::uintptr_t lock, LockMisuse misuse, ThreadId holder,
                        std::uintptr_t pc) {
  constexpr const char* kDeeds[] = {
      "locks", "locks for reading", "unlocks", "unlocks for reading", "destroys", "uses"};
  if (!running() || g.exiting) return;
  blame(lock, site_of(pc));
  say(kDeeds[static_cast<unsigned>(misuse)]);
  if (misuse == LockMisuse::dead) {
    say(" {} after it was destroyed");
    end();
  }
  say(" {}, which ");
  if (holder == kNoThread)
    say("nobody");
  else
    say_thread(holder);
  bool reads = misuse == LockMisuse::read || misuse == LockMisuse::read_unlock;
  say(reads ? " holds for writing" : " holds");
  end();
}

void check_join(const Fiber* target, std::uintptr_t thread, std::uintptr_t pc) {
  if (!running()) return;
  for (ThreadId id = g.thread_count; target == nullptr && id-- > 0;)
    if (g.fibers[id].former_handle == thread) target = &g.fibers[id];
  if (target == nullptr || target == g.current) return;
  bool joined = target->joined_by != kNoThread || target->joiner != kNoThread;
  if (!joined && !target->detached) return;
  blame(0, site_of(pc));
  say("joins or detaches ");
  say_thread(target->id);
  say(joined ? ", which is joined already" : ", which is detached");
  end();
}

void check_leaked_threads() {
  if (!running()) return;
  for (ThreadId id = 1; id < g.thread_count; ++id) {
    const Fiber& fiber = g.fibers[id];
    bool ended = fiber.state == FiberState::finished || fiber.is_last;
    bool left = fiber.state == FiberState::alive && &fiber != g.current;
    bool waited_for = fiber.detached || fiber.joined_by != kNoThread || fiber.joiner != kNoThread;
    if (waited_for || (!ended && !left)) continue;
    say_thread(id);
    say(ended ? " has ended and was neither joined nor detached"
              : " is left when the process ends, and was neither joined nor detached");
    return write_verdict(
        {.kind = VerdictKind::leaked_thread, .code = id, .fault_address = fiber.created_at});
  }
}

}  // namespace raddle::runtime
