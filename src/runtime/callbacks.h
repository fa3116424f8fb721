// SPDX-License-Identifier: Apache-2.0
//
// What a program defines for a race detector to call (sanitizer/tsan_interface.h). Target side.
#pragma once

namespace raddle::runtime {

// Calls what there is of it, before main or before the runs of a test.
void ask_program();

}  // namespace raddle::runtime
