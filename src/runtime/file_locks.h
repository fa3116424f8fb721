// SPDX-License-Identifier: Apache-2.0
//
// Who holds the locks on a file. Target side.
#pragma once

namespace raddle::runtime {

// Whether all locks on the file belong to this process, as far as /proc/locks tells.
bool locks_are_ours(int file);

}  // namespace raddle::runtime
