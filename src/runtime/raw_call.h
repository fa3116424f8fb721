// SPDX-License-Identifier: Apache-2.0
//
// System calls without libc, which would write errno into the memory of a thread. Target side; for
// code that runs while no thread of the program is there (resident.h).
#pragma once

#include <sys/syscall.h>

#include <cstdint>

namespace raddle::runtime {

// A negative result is an error number.
inline long raw_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                     long f = 0) {
  long result;
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return result;
}

inline long as_word(const void* pointer) { return reinterpret_cast<long>(pointer); }

}  // namespace raddle::runtime
