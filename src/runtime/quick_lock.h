// SPDX-License-Identifier: Apache-2.0
//
// The short way of locking and unlocking a mutex, for runs of which only the end is wanted
// (checks_quickly()). Target side. The long way is in abi_mutex.cc; both do the same to the model,
// the thread and its clock.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

// Whether the short way may be taken.
inline bool locks_quickly(const SyncObject& mutex) {
  return checks_quickly() && mutex.mutex.is_plain();
}

// As lock_mutex() and unlock_mutex(). Requires: locks_quickly(mutex).
int lock_quickly(SyncObject& mutex, SiteId site);
int unlock_quickly(SyncObject& mutex, SiteId site);

}  // namespace raddle::runtime
