// SPDX-License-Identifier: Apache-2.0
//
// What a new thread is to be like: the attributes of pthread_create, and what it inherits. Target
// side.
#pragma once

#include <pthread.h>

#include "runtime/fiber.h"
#include "runtime/signal_queue.h"

namespace raddle::runtime {

struct ThreadAttributes {
  StackWish stack;
  bool detached = false;
  bool has_mask = false;
  SignalSet mask = 0;
  int policy = 0;
  int priority = 0;
};

// Null attributes are the process's default ones. Returns 0 or what pthread_create fails with.
int read_attributes(const pthread_attr_t* attributes, const Fiber& creator,
                    ThreadAttributes* result);
// Everything but the stack.
void apply_attributes(const ThreadAttributes& wanted, const Fiber& creator, Fiber& created);

// Whether a thread may change to this way of being scheduled, as the kernel has it: 0 or an error.
int scheduling_error(const Fiber& thread, int policy, int priority);

}  // namespace raddle::runtime
