// SPDX-License-Identifier: Apache-2.0
//
// Places inside libc where a thread could block without calling a function that we stand in front
// of. Target side.
#pragma once

namespace raddle::runtime {

// Redirects them to us. Called once, in the process that runs are forked from. What cannot be
// redirected (an unknown libc) stays as it is.
void hook_libc();

}  // namespace raddle::runtime
