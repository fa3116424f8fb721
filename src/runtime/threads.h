// SPDX-License-Identifier: Apache-2.0
//
// Threads that the runtime makes on the program's behalf. Target side.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace raddle::runtime {

// pthread_create for the caller at `pc`; in abi_thread.cc.
int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                  void* argument, std::uintptr_t pc);

}  // namespace raddle::runtime
