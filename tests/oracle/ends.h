// SPDX-License-Identifier: Apache-2.0
//
// How the executions of a small program end, by brute force over all states: with which final
// states, and in which failures. Tests only.
//
// A circle of threads that wait for each other is a deadlock as soon as it closes, whatever the
// others could still do; so says docs/findings.md. Whoever goes by that does not see what an
// execution could do after it. Both views are kept: what is possible in either, and what must be
// there in both.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "oracle/machine.h"

namespace raddle::oracle {

struct Ends {
  std::set<std::string> finals;    // of executions that end normally, as Machine::record
  std::set<std::string> failures;  // "deadlock", "use-after-free 103", "double-free 204"
  std::set<Race> races;
};

struct EndsCensus {
  Ends possible;
  Ends certain;
  std::set<std::uint32_t> records;  // CRC-32 of the record of every state
  std::uint64_t executions = 0;     // different sequences of steps
  std::size_t states = 0;
  bool cut = false;    // there are more than the allowed number of states
  bool early = false;  // a circle can close while somebody could go on or end the process
  bool stuck = false;  // a handler can wait for ever, so that the process does not end
};

EndsCensus find_ends(const Program& program, std::size_t states_max);

// As that of zlib.
std::uint32_t crc32(const std::string& bytes);

}  // namespace raddle::oracle
