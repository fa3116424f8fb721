// SPDX-License-Identifier: Apache-2.0
//
// From addresses to names that are the same in every run: code addresses to sites, data addresses
// to locations. Target side.
#pragma once

#include "wire/op.h"

namespace raddle::runtime {

// Reads the list of loaded objects into the shared block. Called before a run and after dlopen.
void load_modules();

struct CodeRange {
  std::uintptr_t base;
  std::uintptr_t size;
  SiteId site_base;
};
extern CodeRange main_text;  // its instructions
extern CodeRange main_code;  // the executable: nearly every hook comes from it

SiteId site_in_library(std::uintptr_t pc);

inline SiteId site_of(std::uintptr_t pc) {
  std::uintptr_t offset = pc - main_code.base;
  if (__builtin_expect(offset < main_code.size, 1))
    return main_code.site_base + static_cast<SiteId>(offset);
  return site_in_library(pc);
}

// The code of the program that led to `pc`: pc itself, or, if it lies in a system library such as
// libstdc++, the first return address into the executable on the stack from `frame` on. The
// system's libraries are not instrumented, so they leave no other trace of their caller.
std::uintptr_t program_pc_above(std::uintptr_t pc, std::uintptr_t frame);

inline std::uintptr_t program_pc(std::uintptr_t pc, std::uintptr_t frame) {
  if (__builtin_expect(pc - main_code.base < main_code.size, 1)) return pc;
  return program_pc_above(pc, frame);
}

// A call of an interposed function; where the program made it is looked for only when wanted.
struct CallPlace {
  std::uintptr_t pc, frame;
  SiteId site() const { return site_of(program_pc(pc, frame)); }
};

// The first return address into the executable on the current stack from `from` on, or 0.
std::uintptr_t nearest_program_pc(std::uintptr_t from);

wire::Location locate_elsewhere(std::uintptr_t address);

inline wire::Location locate(std::uintptr_t address) {
  std::uintptr_t offset = address - main_code.base;
  if (__builtin_expect(offset < main_code.size, 1))
    return wire::make_location(wire::Region::global, 0, static_cast<std::uint32_t>(offset));
  return locate_elsewhere(address);
}

}  // namespace raddle::runtime

// The call of the interposed function this is used in, and where the program made it.
#define RADDLE_CALL_PLACE                                            \
  ::raddle::runtime::CallPlace {                                     \
    reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),   \
        reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) \
  }
#define RADDLE_PROGRAM_CALLER                                                                  \
  ::raddle::runtime::program_pc(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), \
                                reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)))
