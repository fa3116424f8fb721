// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a wait in whose middle signal handlers ran. Target side; a part of the
// controller.
#pragma once

#include "runtime/controller.h"
#include "runtime/signal_queue.h"

namespace raddle::runtime {

// Whether the wait does not go on (EINTR).
bool gives_up_after(const Wait& wait, const SuspendedWait& before, const Delivery& delivery);

// A handler has forked, and this is the program's own child, where there are no other threads: what
// they would have to do first is never done. Who waits for the outside asks the kernel next.
void resume_in_child(const Wait& wait, const SuspendedWait& before, const Delivery& delivery);

}  // namespace raddle::runtime
