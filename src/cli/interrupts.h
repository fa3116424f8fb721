// SPDX-License-Identifier: Apache-2.0
//
// Counts Ctrl-C and SIGTERM, so that a campaign ends in order. Engine side.
//
// The first lets the current run end; the second does not wait for it; both print the summary and
// write the JSON. The third is not ours any more and kills the tool.
#pragma once

#include <csignal>

namespace raddle::cli {

// Installs the handlers and returns the counter. Also makes a closed pipe an error of write(2)
// instead of a death.
const volatile std::sig_atomic_t* watch_interrupts();

}  // namespace raddle::cli
