// SPDX-License-Identifier: Apache-2.0
//
// Threads for other parts of the runtime: making them, finding them. Target side.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace raddle::runtime {

// pthread_create for the caller at `pc`; in abi_thread.cc.
int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                  void* argument, std::uintptr_t pc);

// The live thread whose gettid() this is, or null.
struct Fiber;
Fiber* fiber_with_tid(int tid);

}  // namespace raddle::runtime
