// SPDX-License-Identifier: Apache-2.0
//
// The TLS blocks of fibers, and glibc's thread descriptors in them. Target side.
//
// TLS blocks come from the dynamic linker's own allocator (_dl_allocate_tls), as for a real thread.
// The few fields of glibc's thread descriptor that must be right are found through the descriptions
// that glibc exports for debuggers (_thread_db_*), so no offset of a particular version is assumed.
//
// Where runs are repeated in one process, blocks are kept: the k-th thread of every run has the
// same one, set back to what it was before its first use. That costs a copy of what threads can
// have changed, a fraction of what the linker's allocator costs.
#pragma once

#include <cstddef>

#include "runtime/fiber.h"

namespace raddle::runtime {

// Finds what is needed in libc. Refuses the program if something is missing.
void init_tls();

extern bool has_fsgsbase;
std::uintptr_t read_fs_base();
void set_fs_base_by_system_call(std::uintptr_t value);
inline void write_fs_base(std::uintptr_t value) {
  if (__builtin_expect(has_fsgsbase, 1))
    __asm__ volatile("wrfsbase %0" ::"r"(value) : "memory");
  else
    set_fs_base_by_system_call(value);
}

// Gives the fiber a block: its thread_pointer. False when out of memory.
bool take_tls(Fiber& fiber);
// Takes the block away; former_handle remembers it.
void release_tls(Fiber& fiber);
// The linker has loaded something: blocks that are kept are out of date.
void drop_kept_tls();

// Where libc keeps the kernel's number of the process's only kernel thread.
std::int32_t* kernel_thread_number();

// Code of libc that asks whether there is more than one thread must be told.
void announce_threads();

}  // namespace raddle::runtime
