// SPDX-License-Identifier: Apache-2.0
//
// As much of a disassembler for x86-64 as it takes to tell where instructions begin, and which of
// them are atomic updates of memory. Engine side; pure.
#pragma once

#include <cstdint>
#include <span>

namespace raddle::report {

struct Instruction {
  unsigned length = 0;  // 0: none that is known, or it goes beyond the end
  bool locked = false;  // with a lock prefix, or xchg with memory, which needs none
};

// The instruction at the beginning of the code.
Instruction decode(std::span<const std::uint8_t> code);

// Whether one of the code's instructions is locked. The code is read from its beginning on; what
// is no instruction (data, padding) is passed over byte by byte.
bool has_locked_instruction(std::span<const std::uint8_t> code);

}  // namespace raddle::report
