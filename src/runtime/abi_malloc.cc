// SPDX-License-Identifier: Apache-2.0
//
// malloc and its relatives: translate and forward to heap.h, or to glibc's allocator when the
// program is not under control. Target side. Blocks know by their address whose they are, so blocks
// from before control began can be freed at any time.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/heap.h"
#include "runtime/locate.h"
#include "runtime/runtime.h"

using namespace raddle::runtime;

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}

namespace {

constexpr size_t kAlignment = 16;

void* or_no_memory(void* block) {
  if (block == nullptr) errno = ENOMEM;
  return block;
}

void* aligned(size_t alignment, size_t size, std::uintptr_t pc) {
  if (off()) return __libc_memalign(alignment, size);
  if (alignment < kAlignment) alignment = kAlignment;
  return or_no_memory(heap_allocate(size, alignment, false, pc));
}

// A stack or the executable's data: no allocator has handed it out.
bool is_ours_otherwise(const void* block) {
  auto address = reinterpret_cast<std::uintptr_t>(block);
  return running() &&
         (address - main_code.base < main_code.size || fiber_of_stack(address) != nullptr);
}

// Of a block of ours: whether this is the program's own child, which is not under control. There
// the heap is left alone, since threads would do so at the same time.
bool is_inherited() { return off() && !g.in_process; }

bool is_power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace

RADDLE_EXPORT void* malloc(size_t size) {
  if (off()) return __libc_malloc(size);
  return or_no_memory(heap_allocate(size, kAlignment, false, RADDLE_PROGRAM_CALLER));
}

RADDLE_EXPORT void free(void* block) {
  if (block == nullptr) return;
  if (!in_heap(block)) {
    if (is_ours_otherwise(block))
      report_invalid_free(reinterpret_cast<std::uintptr_t>(block), RADDLE_PROGRAM_CALLER);
    return __libc_free(block);
  }
  if (is_inherited()) return;
  int saved = errno;
  heap_free(block, RADDLE_PROGRAM_CALLER);
  errno = saved;
}

RADDLE_EXPORT void* calloc(size_t count, size_t size) {
  if (off()) return __libc_calloc(count, size);
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) return or_no_memory(nullptr);
  return or_no_memory(heap_allocate(total, kAlignment, true, RADDLE_PROGRAM_CALLER));
}

RADDLE_EXPORT void* realloc(void* block, size_t size) {
  if (block == nullptr) return malloc(size);
  if (!in_heap(block)) return __libc_realloc(block, size);
  if (size == 0) {
    free(block);
    return nullptr;
  }
  void* moved = is_inherited() ? __libc_malloc(size)
                               : heap_allocate(size, kAlignment, false, RADDLE_PROGRAM_CALLER);
  if (or_no_memory(moved) == nullptr) return nullptr;
  size_t old_size = heap_usable_size(block);
  memcpy(moved, block, old_size < size ? old_size : size);
  if (!is_inherited()) heap_free(block, RADDLE_PROGRAM_CALLER);
  return moved;
}

RADDLE_EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) return or_no_memory(nullptr);
  return realloc(block, total);
}

RADDLE_EXPORT void* memalign(size_t alignment, size_t size) {
  return aligned(alignment, size, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  if (!is_power_of_two(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return aligned(alignment, size, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int posix_memalign(void** result, size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  int saved = errno;
  void* block = aligned(alignment, size, RADDLE_PROGRAM_CALLER);
  errno = saved;
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}

RADDLE_EXPORT void* valloc(size_t size) { return aligned(4096, size, RADDLE_PROGRAM_CALLER); }

RADDLE_EXPORT void* pvalloc(size_t size) {
  return aligned(4096, (size + 4095) & ~size_t{4095}, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT size_t malloc_usable_size(void* block) {
  if (block == nullptr) return 0;
  if (in_heap(block)) return heap_usable_size(block);
  // glibc's chunk header: the size with three flag bits, before the payload.
  return (static_cast<size_t*>(block)[-1] & ~size_t{7}) - sizeof(size_t);
}
