// SPDX-License-Identifier: Apache-2.0
//
// The __tsan_* functions that gcc and clang insert for plain accesses and function frames:
// translate and forward, nothing else. Target side. Macros, because the ABI dictates the names.
#include "runtime/access.h"
#include "runtime/runtime.h"

using namespace raddle::runtime;

#define RADDLE_ACCESS_HOOK(name, bytes, is_write, aligned)                                 \
  RADDLE_EXPORT void __tsan_##name(void* address) {                                        \
    plain_access<bytes, is_write, aligned>(address, RADDLE_CALLER);                        \
  }                                                                                        \
  RADDLE_EXPORT void __tsan_##name##_pc(void* address, void* pc) {                         \
    plain_access<bytes, is_write, aligned>(address, reinterpret_cast<std::uintptr_t>(pc)); \
  }

#define RADDLE_ACCESS_HOOKS(bytes)                                        \
  RADDLE_ACCESS_HOOK(read##bytes, bytes, false, true)                     \
  RADDLE_ACCESS_HOOK(write##bytes, bytes, true, true)                     \
  RADDLE_ACCESS_HOOK(volatile_read##bytes, bytes, false, true)            \
  RADDLE_ACCESS_HOOK(volatile_write##bytes, bytes, true, true)            \
  RADDLE_ACCESS_HOOK(unaligned_read##bytes, bytes, false, false)          \
  RADDLE_ACCESS_HOOK(unaligned_write##bytes, bytes, true, false)          \
  RADDLE_ACCESS_HOOK(unaligned_volatile_read##bytes, bytes, false, false) \
  RADDLE_ACCESS_HOOK(unaligned_volatile_write##bytes, bytes, true, false) \
  RADDLE_EXPORT void __tsan_read_write##bytes(void* address) {            \
    plain_access<bytes, false, true>(address, RADDLE_CALLER);             \
    plain_access<bytes, true, true>(address, RADDLE_CALLER);              \
  }                                                                       \
  RADDLE_EXPORT void __tsan_unaligned_read_write##bytes(void* address) {  \
    plain_access<bytes, false, false>(address, RADDLE_CALLER);            \
    plain_access<bytes, true, false>(address, RADDLE_CALLER);             \
  }

RADDLE_ACCESS_HOOKS(1)
RADDLE_ACCESS_HOOKS(2)
RADDLE_ACCESS_HOOKS(4)
RADDLE_ACCESS_HOOKS(8)
RADDLE_ACCESS_HOOKS(16)

RADDLE_EXPORT void __tsan_read_range(void* address, unsigned long bytes) {
  range_access(address, bytes, false, RADDLE_CALLER);
}

RADDLE_EXPORT void __tsan_write_range(void* address, unsigned long bytes) {
  range_access(address, bytes, true, RADDLE_CALLER);
}

RADDLE_EXPORT void __tsan_read_range_pc(void* address, unsigned long bytes, void* pc) {
  range_access(address, bytes, false, reinterpret_cast<std::uintptr_t>(pc));
}

RADDLE_EXPORT void __tsan_write_range_pc(void* address, unsigned long bytes, void* pc) {
  range_access(address, bytes, true, reinterpret_cast<std::uintptr_t>(pc));
}

// A constructor or destructor sets the vptr; writing the value that is already there is no change.
RADDLE_EXPORT void __tsan_vptr_update(void** vptr, void* value) {
  if (*vptr != value) plain_access<sizeof *vptr, true, true>(vptr, RADDLE_CALLER);
}

RADDLE_EXPORT void __tsan_vptr_read(void** vptr) {
  plain_access<sizeof *vptr, false, true>(vptr, RADDLE_CALLER);
}

RADDLE_EXPORT void __tsan_init() {}

RADDLE_EXPORT void __tsan_func_entry(void* return_address) {
  if (off()) return;
  Fiber& me = *g.current;
  auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  ShadowFrame* top = me.top;
  // Frames that longjmp or an uninstrumented unwinder left behind lie below the stack pointer.
  while (top > me.frames && top[-1].stack_pointer <= here) --top;
  if (__builtin_expect(top - me.frames < kShadowFramesMax, 1)) {
    *top = {reinterpret_cast<std::uintptr_t>(return_address), here};
    ++top;
  }
  me.top = top;
}

RADDLE_EXPORT void __tsan_func_exit() {
  if (off()) return;
  Fiber& me = *g.current;
  if (me.top > me.frames) --me.top;
}
