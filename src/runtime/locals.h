// SPDX-License-Identifier: Apache-2.0
//
// Which function's frame an address on a stack lies in, and where in it: what debug information
// needs to know to name a local variable. Target side; for runs that record call stacks, which have
// the time.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace raddle::runtime {

// Writes a `local` event if the address lies in the frame of an instrumented function, for the
// event before it, which was at `site`.
void emit_local(std::uintptr_t address, SiteId site);

}  // namespace raddle::runtime
