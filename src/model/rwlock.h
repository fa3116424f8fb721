// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a read-write lock that prefers readers, as glibc's default does, or writers
// (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP). Both sides; pure.
#pragma once

#include <cerrno>

#include "base/ids.h"

namespace raddle::model {

struct RwLock {
  ThreadId writer = kNoThread;
  ThreadId waiting_writers = 0;     // meaningful if it prefers writers
  std::uint32_t readers = 0;        // invariant: 0 while there is a writer
  SiteId acquired_at = 0;           // of the writer
  bool released_by_writer = false;  // whose the last unlock was
  bool prefers_writers = false;     // no reader gets it while a writer waits

  bool admits_readers() const { return writer == kNoThread && waiting_writers == 0; }
  bool grants_read(ThreadId t) const { return admits_readers() || writer == t; }
  bool grants_write(ThreadId t) const {
    return writer == t || (writer == kNoThread && readers == 0);
  }

  // Requires: grants_read(t) or grants_write(t). A writer that locks again gets EDEADLK.
  int lock_read(ThreadId t) {
    if (writer == t) return EDEADLK;
    ++readers;
    return 0;
  }
  int lock_write(ThreadId t, SiteId site) {
    if (writer == t) return EDEADLK;
    writer = t;
    acquired_at = site;
    return 0;
  }
  int try_lock_read(ThreadId t) { return admits_readers() ? lock_read(t) : EBUSY; }
  int try_lock_write(ThreadId t, SiteId site) {
    return writer != kNoThread || readers != 0 ? EBUSY : lock_write(t, site);
  }

  int unlock(ThreadId t) {
    released_by_writer = readers == 0;
    if (writer == t)
      writer = kNoThread;
    else if (readers > 0)
      --readers;
    else
      writer = kNoThread;  // another thread's write lock: glibc lets it go
    return 0;
  }
};

}  // namespace raddle::model
