// SPDX-License-Identifier: Apache-2.0
//
// Programs that are chosen for proofs, with all that brute force knows of them. Tests only.
#pragma once

#include <string>

#include "oracle/ends.h"
#include "oracle/program.h"
#include "oracle/traces.h"

namespace raddle::oracle {

struct Proof {
  Program program;
  EndsCensus ends;
  Traces traces;
};

// The same numbers give the same program.
Proof choose_proof(std::uint64_t seed, unsigned number);

// One line.
std::string json(unsigned number, const Proof& proof);

// [[SITE, SITE, ["VARIABLE", ...]], ...]
std::string json(const Program& program, const std::set<Race>& races);

}  // namespace raddle::oracle
