// SPDX-License-Identifier: Apache-2.0
//
// The moment of a fork. Target side. The program's own child is an ordinary process with one
// thread: from its first instruction on, before any handler of the program (pthread_atfork), it is
// not under control. Signals that come for it wait until it is ready for them, so that what ends it
// is never taken for the end of the run.
#pragma once

namespace raddle::runtime {

// Requires: before the program's own code, which may want to be called at forks too.
void watch_forks();

}  // namespace raddle::runtime
