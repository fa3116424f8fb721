// SPDX-License-Identifier: Apache-2.0
//
// Functions on memory of a given length, and sorting: what instrumented code calls instead of them.
// Target side. Newer clangs call the three __tsan_ names. Those whose names end in _chk are called
// by programs built with _FORTIFY_SOURCE; a size that does not fit is libc's to report.
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include "runtime/ranges.h"
#include "runtime/string_ranges.h"

using namespace raddle::runtime;

extern "C" {
void* __memcpy_chk(void*, const void*, size_t, size_t);
void* __memmove_chk(void*, const void*, size_t, size_t);
void* __mempcpy_chk(void*, const void*, size_t, size_t);
void* __memset_chk(void*, int, size_t, size_t);
void __explicit_bzero_chk(void*, size_t, size_t);
}

namespace {

// A copy of shared data to shared data is two steps: what was read first is what is written then,
// whatever became of it in between. Longer ones read and write at the second step.
constexpr size_t kKeptBytes = 1024;

__attribute__((noinline)) void copy_in_two_steps(void* to, const void* from, size_t size,
                                                 std::uintptr_t pc) {
  char kept[kKeptBytes];
  memcpy(kept, from, size);
  writes(to, size, pc);
  memcpy(to, kept, size);
}

void* copy(void* to, const void* from, size_t size, std::uintptr_t pc) {
  if (!watched(pc)) return memmove(to, from, size);
  reads(from, size, pc);
  if (size <= kKeptBytes && write_is_point(pc)) {
    copy_in_two_steps(to, from, size, pc);
    return to;
  }
  writes(to, size, pc);
  return memmove(to, from, size);
}

void note_copy(void* to, const void* from, size_t size, std::uintptr_t pc) {
  if (!watched(pc)) return;
  reads(from, size, pc);
  writes(to, size, pc);
}

void note_set(void* to, size_t size, std::uintptr_t pc) {
  if (watched(pc)) writes(to, size, pc);
}

void note_compare(const void* a, const void* b, size_t size, std::uintptr_t pc) {
  if (!watched(pc)) return;
  auto measure = [=] { return compared_bytes(a, b, size); };
  reads_measured(a, pc, measure);
  reads_measured(b, pc, measure);
}

// Reads up to what it finds, or all.
void note_search(const void* from, size_t size, int wanted, std::uintptr_t pc) {
  if (watched(pc)) reads_measured(from, pc, [=] { return bytes_to(from, size, wanted); });
}

void note_read(const void* from, size_t size, std::uintptr_t pc) {
  if (watched(pc)) reads(from, size, pc);
}

// All elements are read, and may be moved. What the comparison reads it reports itself.
void note_sort(void* base, size_t count, size_t size, std::uintptr_t pc) {
  if (count < 2 || !watched(pc)) return;
  reads(base, count * size, pc);
  writes(base, count * size, pc);
}

}  // namespace

RADDLE_EXPORT void* __tsan_memcpy(void* to, const void* from, size_t size) {
  return copy(to, from, size, RADDLE_CALLER);
}

RADDLE_EXPORT void* __tsan_memmove(void* to, const void* from, size_t size) {
  return copy(to, from, size, RADDLE_CALLER);
}

RADDLE_EXPORT void* __tsan_memset(void* to, int value, size_t size) {
  note_set(to, size, RADDLE_CALLER);
  return memset(to, value, size);
}

RADDLE_WRAP(void*, memcpy)(void* to, const void* from, size_t size) {
  return copy(to, from, size, RADDLE_CALLER);
}

RADDLE_WRAP(void*, memmove)(void* to, const void* from, size_t size) {
  return copy(to, from, size, RADDLE_CALLER);
}

RADDLE_WRAP(void*, mempcpy)(void* to, const void* from, size_t size) {
  return static_cast<char*>(copy(to, from, size, RADDLE_CALLER)) + size;
}

RADDLE_WRAP(void, bcopy)(const void* from, void* to, size_t size) {
  copy(to, from, size, RADDLE_CALLER);
}

RADDLE_WRAP(void*, __memcpy_chk)(void* to, const void* from, size_t size, size_t room) {
  if (size <= room) return copy(to, from, size, RADDLE_CALLER);
  note_copy(to, from, size, RADDLE_CALLER);
  return __memcpy_chk(to, from, size, room);
}

RADDLE_WRAP(void*, __memmove_chk)(void* to, const void* from, size_t size, size_t room) {
  if (size <= room) return copy(to, from, size, RADDLE_CALLER);
  note_copy(to, from, size, RADDLE_CALLER);
  return __memmove_chk(to, from, size, room);
}

RADDLE_WRAP(void*, __mempcpy_chk)(void* to, const void* from, size_t size, size_t room) {
  note_copy(to, from, size, RADDLE_CALLER);
  return __mempcpy_chk(to, from, size, room);
}

// Copies up to and including a byte.
RADDLE_WRAP(void*, memccpy)(void* to, const void* from, int last, size_t size) {
  std::uintptr_t pc = RADDLE_CALLER;
  if (watched(pc)) {
    auto measure = [=] { return bytes_to(from, size, last); };
    reads_measured(from, pc, measure);
    writes_measured(to, pc, measure);
  }
  return memccpy(to, from, last, size);
}

RADDLE_WRAP(void*, memset)(void* to, int value, size_t size) {
  note_set(to, size, RADDLE_CALLER);
  return memset(to, value, size);
}

RADDLE_WRAP(void, bzero)(void* to, size_t size) {
  note_set(to, size, RADDLE_CALLER);
  memset(to, 0, size);
}

RADDLE_WRAP(void, explicit_bzero)(void* to, size_t size) {
  note_set(to, size, RADDLE_CALLER);
  explicit_bzero(to, size);
}

RADDLE_WRAP(void*, __memset_chk)(void* to, int value, size_t size, size_t room) {
  note_set(to, size, RADDLE_CALLER);
  return __memset_chk(to, value, size, room);
}

RADDLE_WRAP(void, __explicit_bzero_chk)(void* to, size_t size, size_t room) {
  note_set(to, size, RADDLE_CALLER);
  __explicit_bzero_chk(to, size, room);
}

RADDLE_WRAP(int, memcmp)(const void* a, const void* b, size_t size) {
  note_compare(a, b, size, RADDLE_CALLER);
  return memcmp(a, b, size);
}

RADDLE_WRAP(int, bcmp)(const void* a, const void* b, size_t size) {
  note_compare(a, b, size, RADDLE_CALLER);
  return memcmp(a, b, size);
}

RADDLE_WRAP(void*, memchr)(const void* from, int wanted, size_t size) {
  note_search(from, size, wanted, RADDLE_CALLER);
  return const_cast<void*>(memchr(from, wanted, size));
}

RADDLE_WRAP(void*, memrchr)(const void* from, int wanted, size_t size) {
  note_read(from, size, RADDLE_CALLER);
  return const_cast<void*>(memrchr(from, wanted, size));
}

RADDLE_WRAP(void*, rawmemchr)(const void* from, int wanted) {
  note_search(from, ~size_t{0} >> 1, wanted, RADDLE_CALLER);
  return const_cast<void*>(rawmemchr(from, wanted));
}

RADDLE_WRAP(void*, memmem)(const void* in, size_t size, const void* part, size_t part_size) {
  std::uintptr_t pc = RADDLE_CALLER;
  if (watched(pc)) {
    reads(part, part_size, pc);
    reads_measured(in, pc, [=] {
      const auto* hit = static_cast<const char*>(memmem(in, size, part, part_size));
      return hit == nullptr ? size
                            : static_cast<size_t>(hit - static_cast<const char*>(in)) + part_size;
    });
  }
  return memmem(in, size, part, part_size);
}

RADDLE_WRAP(wchar_t*, wmemcpy)(wchar_t* to, const wchar_t* from, size_t count) {
  copy(to, from, count * sizeof *to, RADDLE_CALLER);
  return to;
}

RADDLE_WRAP(wchar_t*, wmemmove)(wchar_t* to, const wchar_t* from, size_t count) {
  copy(to, from, count * sizeof *to, RADDLE_CALLER);
  return to;
}

RADDLE_WRAP(wchar_t*, wmemset)(wchar_t* to, wchar_t value, size_t count) {
  note_set(to, count * sizeof *to, RADDLE_CALLER);
  return wmemset(to, value, count);
}

RADDLE_WRAP(void, qsort)
(void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  note_sort(base, count, size, RADDLE_CALLER);
  qsort(base, count, size, compare);
}

RADDLE_WRAP(void, qsort_r)
(void* base, size_t count, size_t size, int (*compare)(const void*, const void*, void*),
 void* argument) {
  note_sort(base, count, size, RADDLE_CALLER);
  qsort_r(base, count, size, compare, argument);
}
