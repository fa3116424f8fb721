// SPDX-License-Identifier: Apache-2.0
//
// The meaning of one-time initialisation: pthread_once, and the guards of function-local statics.
// Both sides; pure.
#pragma once

#include "base/ids.h"

namespace raddle::model {

struct Once {
  ThreadId runner = kNoThread;  // who is running the initialiser now
  bool done = false;
  SiteId acquired_at = 0;

  // A thread that enters again from its own initialiser waits for itself.
  bool grants() const { return runner == kNoThread; }

  // Requires: grants(). True if the caller has to run the initialiser.
  bool enter(ThreadId t, SiteId site) {
    if (done) return false;
    runner = t;
    acquired_at = site;
    return true;
  }
  void leave(bool succeeded) {
    runner = kNoThread;
    done = succeeded;
  }
};

}  // namespace raddle::model
