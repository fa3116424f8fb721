// SPDX-License-Identifier: Apache-2.0
//
// Thread-specific data (pthread_key_create and friends) of fibers. Target side.
#pragma once

namespace raddle::runtime {

// Runs the destructors of the current thread's values, as POSIX asks: repeated while they set new
// values, at most PTHREAD_DESTRUCTOR_ITERATIONS times.
void destroy_thread_values();

// The program's own child: libc keeps keys and values from now on. Requires: off().
void release_thread_values();

}  // namespace raddle::runtime
