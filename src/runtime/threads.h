// SPDX-License-Identifier: Apache-2.0
//
// Threads that the runtime makes on the program's behalf, or is told of. Target side.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace raddle::runtime {

// pthread_create for the caller at `pc`; in abi_thread.cc.
int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                  void* argument, std::uintptr_t pc);

// The thread whose gettid() this is, or null; in abi_signal.cc.
struct Fiber;
Fiber* fiber_with_tid(pid_t tid);

}  // namespace raddle::runtime
