// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for a program with raddle's runtime: the test binary starts itself, and a constructor
// that runs before main speaks the target's side of the protocol. Test side.
#pragma once

#include <string>

#include "launch/program.h"

namespace raddle::testing {

// The program that behaves as the word says; fake_target.cc has the list.
launch::Program fake_target(const std::string& behaviour);

}  // namespace raddle::testing
