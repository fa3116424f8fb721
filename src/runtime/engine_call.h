// SPDX-License-Identifier: Apache-2.0
//
// Calling the engine from a process of the program, through a socket that is opened only now: a run
// has no descriptor that its program could see, close or hand on. Target side; no libc.
#pragma once

#include <cstddef>

namespace raddle::runtime {

// Negative: nobody answers.
int call_engine(const char* address, std::size_t address_size);

}  // namespace raddle::runtime
