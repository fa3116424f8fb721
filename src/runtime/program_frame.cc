// SPDX-License-Identifier: Apache-2.0
//
// See program_frame.h.
#include "runtime/program_frame.h"

#include <dlfcn.h>
#include <unwind.h>

#include "runtime/heap.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

// The first and the last byte of this library, by the linker.
extern "C" const char __ehdr_start[] __attribute__((visibility("hidden")));
extern "C" const char _end[] __attribute__((visibility("hidden")));

namespace raddle::runtime {
namespace {

struct Unwinder {
  decltype(&_Unwind_Backtrace) backtrace;
  decltype(&_Unwind_GetIP) instruction;
  decltype(&_Unwind_GetCFA) stack;
  decltype(&_Unwind_GetGR) general;
};
Unwinder unwinder;

template <class Function>
void find(Function*& function, void* library, const char* name) {
  function = reinterpret_cast<Function*>(find_symbol(library, name));
}

bool is_own(std::uintptr_t address) {
  return address >= reinterpret_cast<std::uintptr_t>(__ehdr_start) &&
         address < reinterpret_cast<std::uintptr_t>(_end);
}

// The numbers of the registers in DWARF.
constexpr int kSaved[] = {3, 6, 12, 13, 14, 15};

_Unwind_Reason_Code look(_Unwind_Context* context, void* result) {
  std::uintptr_t instruction = unwinder.instruction(context);
  if (is_own(instruction)) return _URC_NO_REASON;
  auto& frame = *static_cast<ProgramFrame*>(result);
  frame.stack = unwinder.stack(context);
  unsigned count = 0;
  for (int number : kSaved) frame.registers[count++] = unwinder.general(context, number);
  frame.registers[count] = instruction;
  return _URC_END_OF_STACK;
}

}  // namespace

void load_unwinder() {
  if (unwinder.backtrace != nullptr) return;
  RuntimeBlocks not_the_programs;
  void* library = RADDLE_REAL(dlopen)("libgcc_s.so.1", RTLD_NOW);
  if (library == nullptr) return;
  find(unwinder.instruction, library, "_Unwind_GetIP");
  find(unwinder.stack, library, "_Unwind_GetCFA");
  find(unwinder.general, library, "_Unwind_GetGR");
  find(unwinder.backtrace, library, "_Unwind_Backtrace");
}

ProgramFrame find_program_frame() {
  ProgramFrame frame{};
  if (unwinder.backtrace == nullptr) return frame;
  Mode mode = g.mode;
  g.mode = Mode::off;  // what the unwinder does is no step of the program
  unwinder.backtrace(look, &frame);
  g.mode = mode;
  return frame;
}

}  // namespace raddle::runtime
