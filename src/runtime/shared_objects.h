// SPDX-License-Identifier: Apache-2.0
//
// Objects that processes share. Target side. A child of the program is not under control, and what
// it does to a mutex or a semaphore in common memory is not seen: as long as there is a child that
// was forked, the program cannot be run on such an object, and is told so.
#pragma once

#include <semaphore.h>

#include "runtime/children.h"

namespace raddle::runtime {

[[gnu::cold]] void refuse_if_common(const void* object, const char* what);
[[gnu::cold]] void refuse_named(const sem_t* semaphore);

// An operation on the object is about to be made. `process_shared`: as it was initialised.
inline void check_common(const void* object, bool process_shared, const char* what) {
  if (__builtin_expect(forked_children != 0, 0) && process_shared) refuse_if_common(object, what);
}
// A semaphore is waited for that has to be posted first.
inline void check_named(const sem_t* semaphore) {
  if (__builtin_expect(forked_children != 0, 0)) refuse_named(semaphore);
}

// In abi_named_semaphore.cc.
bool is_named(const sem_t* semaphore);

}  // namespace raddle::runtime
