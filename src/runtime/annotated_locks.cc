// SPDX-License-Identifier: Apache-2.0
//
// See annotated_locks.h. Target side; bounded.
#include "runtime/annotated_locks.h"

#include "base/rng.h"
#include "runtime/access.h"
#include "runtime/fatal.h"
#include "runtime/misuse.h"
#include "runtime/order.h"

namespace raddle::runtime {
namespace {

struct AnnotatedLock {
  std::uintptr_t address;  // 0: none
  std::uint64_t memory;    // which block of the heap it lies in, as locate() names it
  unsigned flags;          // of its creation
  ThreadId writer;
  std::uint32_t depth;
  bool created;  // and not only heard of
  bool destroyed;
};

constexpr std::uint32_t kLocksMax = 1 << 16;
AnnotatedLock locks[kLocksMax];
std::uint32_t used[kLocksMax / 2];
std::uint32_t used_count;

void renew(AnnotatedLock& lock, std::uintptr_t address) {
  lock = {};
  lock.address = address;
  lock.memory = locate(address).key();
  lock.writer = kNoThread;
}

// Made if need be; *fresh tells. Memory that was freed and taken again holds another lock.
AnnotatedLock& find(std::uintptr_t address, bool* fresh) {
  std::uint32_t i = static_cast<std::uint32_t>(mix64(address)) % kLocksMax;
  while (locks[i].address != 0 && locks[i].address != address) i = (i + 1) % kLocksMax;
  AnnotatedLock& lock = locks[i];
  *fresh = lock.address == 0 || lock.memory != locate(address).key();
  if (!*fresh) return lock;
  if (lock.address == 0) {
    if (used_count == kLocksMax / 2) refuse("the program annotates too many locks in one run");
    used[used_count++] = i;
  }
  renew(lock, address);
  return lock;
}

// A lock that the engine of unit tests has not seen before may be held since before the run.
bool is_unknown(bool fresh) { return fresh && g.in_process; }

// To use a lock is to look at it: a lock that is freed is a use of freed memory, and to destroy it
// is a write, which races with uses that nothing orders.
void touch(std::uintptr_t address, bool is_write, std::uintptr_t pc) {
  if (!running() || !tracking()) return;
  if (is_write) return range_access(reinterpret_cast<void*>(address), 1, true, pc);
  if (races_wanted()) observe_atomic(address, 1, false, site_of(pc));
}

}  // namespace

void annotated_create(std::uintptr_t address, unsigned flags) {
  bool fresh;
  AnnotatedLock& lock = find(address, &fresh);
  renew(lock, address);
  lock.flags = flags;
  lock.created = true;
}

void annotated_destroy(std::uintptr_t address, unsigned flags, std::uintptr_t pc) {
  bool fresh;
  AnnotatedLock& lock = find(address, &fresh);
  bool ignored = ((flags | lock.flags) & kLinkerInitialised) != 0 ||
                 ((flags & kNotStatic) != 0 && (lock.flags & kNotStatic) == 0);
  if (ignored) return;
  if (lock.writer != kNoThread) report_lock_misuse(address, LockMisuse::destroy, lock.writer, pc);
  touch(address, true, pc);
  lock.destroyed = lock.created;
}

void annotated_lock(std::uintptr_t address, unsigned flags, int levels, std::uintptr_t pc) {
  bool fresh;
  AnnotatedLock& lock = find(address, &fresh);
  touch(address, false, pc);
  if (lock.destroyed) report_lock_misuse(address, LockMisuse::dead, kNoThread, pc);
  if (fresh) lock.flags = flags & (kLinkerInitialised | kNotStatic);
  const ThreadId me = g.current->id;
  bool reads = (flags & kReadLock) != 0;
  // A writer that reads deadlocks in most locks, and in no lock is it a reader beside itself.
  bool refused = reads ? lock.writer != kNoThread : lock.writer != kNoThread && lock.writer != me;
  if (refused)
    report_lock_misuse(address, reads ? LockMisuse::read : LockMisuse::lock, lock.writer, pc);
  if (!reads) {
    lock.writer = me;
    lock.depth += (flags & kAllLevelsLocked) != 0 && levels > 0 ? static_cast<unsigned>(levels) : 1;
  }
  if (!running() || !races_wanted()) return;
  order_stated_acquire(address);
  if (!reads) order_stated_acquire(address, kStatedByReaders);
}

int annotated_unlock(std::uintptr_t address, unsigned flags, std::uintptr_t pc) {
  bool fresh;
  AnnotatedLock& lock = find(address, &fresh);
  touch(address, false, pc);
  if (lock.destroyed) report_lock_misuse(address, LockMisuse::dead, kNoThread, pc);
  bool reads = (flags & kReadLock) != 0;
  bool held = lock.writer == (reads ? kNoThread : g.current->id);
  if (!held && !is_unknown(fresh))
    report_lock_misuse(address, reads ? LockMisuse::read_unlock : LockMisuse::unlock, lock.writer,
                       pc);
  int levels = 1;
  if (!reads && lock.depth > 0) {
    if ((flags & kAllLevelsUnlocked) != 0) levels = static_cast<int>(lock.depth);
    lock.depth -= static_cast<std::uint32_t>(levels);
    if (lock.depth == 0) lock.writer = kNoThread;
  }
  if (running() && races_wanted()) order_stated_release(address, reads ? kStatedByReaders : 0);
  return levels;
}

void forget_annotated_locks() {
  while (used_count > 0) locks[used[--used_count]].address = 0;
}

}  // namespace raddle::runtime
