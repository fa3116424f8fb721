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
extern CodeRange main_text;              // its instructions
extern CodeRange main_code;              // the executable: nearly every hook comes from it
extern std::uintptr_t main_image_bytes;  // the same with its variables

SiteId site_in_library(std::uintptr_t pc);

inline SiteId site_of(std::uintptr_t pc) {
  std::uintptr_t offset = pc - main_code.base;
  if (__builtin_expect(offset < main_code.size, 1))
    return main_code.site_base + static_cast<SiteId>(offset);
  return site_in_library(pc);
}

// Calls from the system's libraries, such as libstdc++, leave no trace of the program's code that
// led to them: those libraries are not instrumented. The nearest return address into the executable
// on the stack tells, but the stack also holds what earlier calls have left there, so the answer
// may differ between two otherwise equal runs. So it is for reports only, never part of an event:
// an event's site is the call itself, and the thread remembers where on its stack to look.

// Remembers the frame if `pc` lies in a library of the system. Returns pc.
std::uintptr_t note_library_call(std::uintptr_t pc, std::uintptr_t frame);

inline std::uintptr_t note_call(std::uintptr_t pc, std::uintptr_t frame) {
  if (__builtin_expect(pc - main_code.base < main_code.size, 1)) return pc;
  return note_library_call(pc, frame);
}

// Whose code lies there: compiled with raddle, as far as that can be told of its whole object; of
// this library; of others.
enum class CodeKind : std::uint8_t { instrumented, runtime, foreign };
CodeKind code_kind(std::uintptr_t pc);

// Whether the site lies in a library of the system.
bool is_system_site(SiteId site);

struct Fiber;
// The first return address into the executable on the fiber's stack from `from` on, or 0.
std::uintptr_t nearest_program_pc(const Fiber& fiber, std::uintptr_t from);

wire::Location locate_elsewhere(std::uintptr_t address);

inline wire::Location locate(std::uintptr_t address) {
  std::uintptr_t offset = address - main_code.base;
  if (__builtin_expect(offset < main_image_bytes, 1))
    return wire::make_location(wire::Region::global, 0, static_cast<std::uint32_t>(offset));
  return locate_elsewhere(address);
}

}  // namespace raddle::runtime

#define RADDLE_FRAME reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))

// Where the interposed function this is used in was called.
#define RADDLE_PROGRAM_CALLER                                                                 \
  ::raddle::runtime::note_call(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), \
                               RADDLE_FRAME)
