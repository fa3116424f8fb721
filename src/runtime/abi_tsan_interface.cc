// SPDX-License-Identifier: Apache-2.0
//
// The rest of ThreadSanitizer's interface (sanitizer/tsan_interface.h, and what it has in common
// with other sanitizers). Target side.
#include <string.h>

#include "runtime/access.h"
#include "runtime/coroutines.h"
#include "runtime/order.h"

using namespace raddle::runtime;

// What the program says happens before what.
RADDLE_EXPORT void __tsan_acquire(void* address) {
  if (running() && races_wanted()) order_stated_acquire(reinterpret_cast<std::uintptr_t>(address));
}
RADDLE_EXPORT void __tsan_release(void* address) {
  if (running() && races_wanted()) order_stated_release(reinterpret_cast<std::uintptr_t>(address));
}

// There is nothing that could be forgotten without missing a race.
RADDLE_EXPORT void __tsan_flush_memory() {}

// Objects of libraries: to use one is to access its first byte, as the caller of the library.
RADDLE_EXPORT void* __tsan_external_register_tag(const char*) {
  static std::uintptr_t tags;
  return reinterpret_cast<void*>(++tags);
}
RADDLE_EXPORT void __tsan_external_register_header(void*, const char*) {}
RADDLE_EXPORT void __tsan_external_assign_tag(void*, void*) {}
RADDLE_EXPORT void __tsan_external_read(void* address, void* caller_pc, void*) {
  auto pc = reinterpret_cast<std::uintptr_t>(caller_pc);
  plain_access<1, false, true>(address, pc != 0 ? pc : RADDLE_CALLER);
}
RADDLE_EXPORT void __tsan_external_write(void* address, void* caller_pc, void*) {
  auto pc = reinterpret_cast<std::uintptr_t>(caller_pc);
  plain_access<1, true, true>(address, pc != 0 ? pc : RADDLE_CALLER);
}

// Stacks that the program switches by itself.
RADDLE_EXPORT void* __tsan_get_current_fiber() { return off() ? nullptr : current_coroutine(); }
RADDLE_EXPORT void* __tsan_create_fiber(unsigned) { return off() ? nullptr : create_coroutine(); }
RADDLE_EXPORT void __tsan_destroy_fiber(void* fiber) {
  if (!off()) destroy_coroutine(static_cast<Coroutine*>(fiber));
}
RADDLE_EXPORT void __tsan_switch_to_fiber(void* fiber, unsigned flags) {
  constexpr unsigned kNoSync = 1;
  if (!off()) switch_to_coroutine(static_cast<Coroutine*>(fiber), (flags & kNoSync) == 0);
}
RADDLE_EXPORT void __tsan_set_fiber_name(void*, const char*) {}

// Accesses that need not be aligned, by functions.
#define RADDLE_UNALIGNED(bits)                                                                \
  RADDLE_EXPORT uint##bits##_t __sanitizer_unaligned_load##bits(const void* address) {        \
    plain_access<bits / 8, false, false>(address, RADDLE_CALLER);                             \
    uint##bits##_t value;                                                                     \
    memcpy(&value, address, sizeof value);                                                    \
    return value;                                                                             \
  }                                                                                           \
  RADDLE_EXPORT void __sanitizer_unaligned_store##bits(void* address, uint##bits##_t value) { \
    plain_access<bits / 8, true, false>(address, RADDLE_CALLER);                              \
    memcpy(address, &value, sizeof value);                                                    \
  }
RADDLE_UNALIGNED(16)
RADDLE_UNALIGNED(32)
RADDLE_UNALIGNED(64)

// About reports, which are not printed here.
RADDLE_EXPORT void __sanitizer_set_report_path(const char*) {}
RADDLE_EXPORT void __sanitizer_set_report_fd(void*) {}
RADDLE_EXPORT const char* __sanitizer_get_report_path() { return "stderr"; }
RADDLE_EXPORT void __sanitizer_set_death_callback(void (*)()) {}
RADDLE_EXPORT void __sanitizer_sandbox_on_notify(void*) {}
