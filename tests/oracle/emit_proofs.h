// SPDX-License-Identifier: Apache-2.0
//
// Small programs as C that keeps a record of its state in a file, whichever way a run ends. Tests
// only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "oracle/program.h"

namespace raddle::oracle {

// The file's main takes the number of a program and the name of a file. Every run adds a line to
// the file and overwrites it after every operation: the state as Machine::record puts it, filled
// up with blanks. So the lines say how far the runs came. Each operation is on a line of its own,
// numbered by site(), of a file called "pN".
//
// Compiled with IN_PROCESS it has no main, and oracle_program(number, file) is the body of a unit
// test; that is for programs that join all their threads and return from main.
std::string emit_proofs(const std::vector<std::pair<unsigned, Program>>& programs);

}  // namespace raddle::oracle
