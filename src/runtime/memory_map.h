// SPDX-License-Identifier: Apache-2.0
//
// Where the runtime puts its large regions. Target side. Fixed addresses make the program's heap
// and stacks the same in every run, also where address randomisation cannot be switched off.
//
// The shadow of an address depends on its low 44 bits (shadow.h), so all regions of the program
// must differ there. Low 44 bits of the places where Linux puts things on x86-64:
//   0x000-       non-PIE executables            0x555-0x57f  PIE executables and the brk heap
//   0x100-0x400  our heap, small blocks         0x800-0x820  our fiber stacks
//   0x400-0x4ff  our heap, large blocks         0xe00-0xfff  libraries, mappings, initial stack
#pragma once

#include <cstdint>

namespace raddle::runtime {

inline constexpr std::uintptr_t kGiB = std::uintptr_t{1} << 30;

inline constexpr std::uintptr_t kShadowBase = 0x1000'0000'0000;
inline constexpr std::uintptr_t kShadowBytes = std::uintptr_t{4} << 44;

inline constexpr std::uintptr_t kSmallBase = 0x6100'0000'0000;
inline constexpr std::uintptr_t kSmallClassBytes = 32 * kGiB;
inline constexpr unsigned kSmallClasses = 96;
inline constexpr std::uintptr_t kLargeBase = kSmallBase + kSmallClasses * kSmallClassBytes;
inline constexpr std::uintptr_t kLargeBytes = 1023 * kGiB;
inline constexpr std::uintptr_t kSlotBytes = 2 << 20;  // large blocks take whole slots
inline constexpr std::uintptr_t kHeapEnd = kLargeBase + kLargeBytes;

inline constexpr std::uintptr_t kStacksBase = 0x6800'0000'0000;
inline constexpr std::uintptr_t kStackSlotBytes = 8 << 20;
inline constexpr std::uintptr_t kStacksEnd = 0x6a00'0000'0000;
inline constexpr std::uintptr_t kStackGuardBytes = 64 << 10;
inline bool is_fiber_stack(std::uintptr_t address) {
  constexpr unsigned kBits = 41;
  static_assert(kStacksBase % (std::uintptr_t{1} << kBits) == 0);
  static_assert(kStacksEnd - kStacksBase == std::uintptr_t{1} << kBits);
  return address >> kBits == kStacksBase >> kBits;
}

inline constexpr std::uintptr_t kFramesBase = kStacksEnd;

// Where the first entries of tables lie in their pages. All in the same place would make processors
// mistake writes to one for writes to the other, as far as they compare the low 12 bits only.
inline constexpr std::uintptr_t kFramesShift = 0x400, kClocksShift = 0x800, kExtrasShift = 0xa00,
                                kLocationsShift = 0xc00;

inline constexpr std::uintptr_t kClocksBase = 0x6b00'0000'0000;
inline constexpr std::uintptr_t kClocksBytes = 64 * kGiB;
inline constexpr std::uintptr_t kExtrasBase = 0x6b80'0000'0000;
inline constexpr std::uintptr_t kExtrasBytes = 4 * kGiB;
inline constexpr std::uintptr_t kContextsBase = 0x6bc0'0000'0000;
inline constexpr std::uintptr_t kContextsBytes = 4 * kGiB;

// Of resident runs: a copy of the memory, and what is not put back (snapshot.h).
inline constexpr std::uintptr_t kResidentBase = 0x6be0'0000'0000;
inline constexpr std::uintptr_t kResidentEnd = kResidentBase + 64 * kGiB;

static_assert(kLargeBase == 0x6400'0000'0000);

// Reserves [base, base + bytes) without committing memory. Refuses the program if the range is
// taken or the address space is limited.
void reserve_region(std::uintptr_t base, std::uintptr_t bytes, bool accessible, const char* what);

}  // namespace raddle::runtime
