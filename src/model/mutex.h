// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a mutex: pure state, no waiting. Both sides.
#pragma once

#include <cerrno>

#include "base/ids.h"

namespace raddle::model {

enum class MutexType : std::uint8_t { normal, recursive, error_check };

struct Mutex {
  ThreadId owner = kNoThread;
  MutexType type = MutexType::normal;
  std::uint32_t depth = 0;  // invariant: 0 exactly if owner is kNoThread
  SiteId acquired_at = 0;

  // Whether lock() returns at once; a normal mutex never lets its owner in again.
  bool grants(ThreadId t) const {
    return owner == kNoThread || (owner == t && type != MutexType::normal);
  }

  // Requires: grants(t). Returns 0 or the error that pthread_mutex_lock gives.
  int lock(ThreadId t, SiteId site) {
    if (owner == t && type == MutexType::error_check) return EDEADLK;
    if (owner == kNoThread) {
      owner = t;
      acquired_at = site;
    }
    ++depth;
    return 0;
  }

  int try_lock(ThreadId t, SiteId site) {
    if (owner != kNoThread && !(owner == t && type == MutexType::recursive)) return EBUSY;
    return lock(t, site);
  }

  // Any thread may unlock a normal mutex as far as glibc is concerned; that it is a misuse is for a
  // detector to say.
  int unlock(ThreadId t) {
    if (owner != t && type != MutexType::normal) return EPERM;
    if (owner == kNoThread) return 0;
    if (--depth == 0) owner = kNoThread;
    return 0;
  }
};

}  // namespace raddle::model
