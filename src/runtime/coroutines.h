// SPDX-License-Identifier: Apache-2.0
//
// Stacks that the program switches between by itself (coroutines, user-level threads), as it tells
// of them by ThreadSanitizer's functions for fibers. Target side. A thread goes on with the calls
// and with what it has seen of others as the coroutine left them, on whatever thread that was.
//
// Deviation from ThreadSanitizer: what two coroutines do on one thread is never a race, also where
// the program says that a switch orders nothing. It orders nothing with other threads then.
#pragma once

#include <cstdint>

namespace raddle::runtime {

struct Coroutine;
struct Fiber;

// The one that the current thread is in; each thread begins in one of its own.
Coroutine* current_coroutine();
// A new one, that has seen what the current thread has.
Coroutine* create_coroutine();
void destroy_coroutine(Coroutine* coroutine);
// The current thread is about to go on with its stack. `ordered`: what came before happens before
// what it will do.
void switch_to_coroutine(Coroutine* to, bool ordered);

// The thread has ended.
void end_coroutine(Fiber& fiber);
// Between runs in one process: all are gone.
void forget_coroutines();

}  // namespace raddle::runtime
