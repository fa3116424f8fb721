// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a mutex: pure state, no waiting. Both sides.
#pragma once

#include <cerrno>

#include "base/ids.h"

namespace raddle::model {

enum class MutexType : std::uint8_t { normal, recursive, error_check };

// Robust mutexes only: whether the data that it protects can be relied on.
enum class MutexHealth : std::uint8_t {
  sound,
  owner_died,  // its owner ended while holding it: the next one has to repair the data
  lost,        // nobody did: it can never be locked again
};

struct Mutex {
  ThreadId owner = kNoThread;
  MutexType type = MutexType::normal;
  bool robust = false;
  MutexHealth health = MutexHealth::sound;
  std::uint32_t depth = 0;  // invariant: 0 exactly if owner is kNoThread
  SiteId acquired_at = 0;

  // As most are: it is locked once at a time, whatever becomes of its owners.
  bool is_plain() const { return type == MutexType::normal && !robust; }

  // Whether lock() returns at once; a normal mutex never lets its owner in again.
  bool grants(ThreadId t) const {
    return health == MutexHealth::lost || owner == kNoThread ||
           (owner == t && type != MutexType::normal);
  }

  // Requires: grants(t). Returns 0 or the error that pthread_mutex_lock gives; EOWNERDEAD comes
  // with the lock.
  int lock(ThreadId t, SiteId site) {
    if (health == MutexHealth::lost) return ENOTRECOVERABLE;
    if (owner == t && type == MutexType::error_check) return EDEADLK;
    if (owner == kNoThread) {
      owner = t;
      acquired_at = site;
    }
    ++depth;
    return health == MutexHealth::owner_died && depth == 1 ? EOWNERDEAD : 0;
  }

  int try_lock(ThreadId t, SiteId site) {
    if (health == MutexHealth::lost) return ENOTRECOVERABLE;
    if (owner != kNoThread && !(owner == t && type == MutexType::recursive)) return EBUSY;
    return lock(t, site);
  }

  // Any thread may unlock a normal mutex as far as glibc is concerned; that it is a misuse is for a
  // detector to say.
  int unlock(ThreadId t) {
    if (owner != t && (type != MutexType::normal || robust)) return EPERM;
    if (owner == kNoThread) return 0;
    if (--depth > 0) return 0;
    owner = kNoThread;
    if (health == MutexHealth::owner_died) health = MutexHealth::lost;  // unlocked unrepaired
    return 0;
  }

  // pthread_mutex_consistent: the data has been repaired.
  int repair(ThreadId t) {
    if (!robust || owner != t || health != MutexHealth::owner_died) return EINVAL;
    health = MutexHealth::sound;
    return 0;
  }

  // Its owner ends without unlocking it.
  void lose_owner() {
    owner = kNoThread;
    depth = 0;
    if (robust && health != MutexHealth::lost) health = MutexHealth::owner_died;
  }
};

}  // namespace raddle::model
