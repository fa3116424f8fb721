// SPDX-License-Identifier: Apache-2.0
//
// Small programs as C. Many go into one file, so that a thousand need few calls of the compiler.
// Tests only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "oracle/program.h"

namespace raddle::oracle {

// The file's main takes the number of a program, the name of a file, to which the run appends one
// line at its end: its outcome as Machine::outcome puts it, "@", and the sites of its operations in
// the order in which they were carried out; and an outcome that makes its exit code 1. Each
// operation is on a line of its own, numbered by site(), of a file called "pN".
std::string emit(const std::vector<std::pair<unsigned, Program>>& programs);

}  // namespace raddle::oracle
