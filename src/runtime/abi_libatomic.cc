// SPDX-License-Identifier: Apache-2.0
//
// libatomic's functions, which compilers call for widths they do not inline (16 bytes, structs).
// Target side. Under control they are points like any other atomic; off, sizes without hardware
// support are guarded by one spinlock.
#include <string.h>

#include "runtime/atomic_ops.h"

using namespace raddle::runtime;

namespace {

using b1 = unsigned char;
using b2 = unsigned short;
using b4 = unsigned int;
using b8 = unsigned long;
__extension__ using b16 = unsigned __int128;

int big_lock;

class BigLock {
 public:
  BigLock() {
    if (off())
      while (__atomic_exchange_n(&big_lock, 1, __ATOMIC_ACQUIRE) != 0) __builtin_ia32_pause();
  }
  ~BigLock() {
    if (off()) __atomic_store_n(&big_lock, 0, __ATOMIC_RELEASE);
  }
};

void pass_big(OpKind kind, const volatile void* address, std::size_t size, int order,
              std::uintptr_t pc) {
  bool writes = kind != OpKind::atomic_load;
  if (!atomics_are_points()) return race_atomic_alone(kind, address, size, order, pc, writes);
  PendingOp& op = atomic_op(kind, address, size, order, pc);
  if (kind == OpKind::atomic_load)
    note_read(op);
  else
    note_progress();
  pass_point();
  emit_step(op, 0);
  if (races_wanted()) race_atomic(op, writes);
}

void copy(void* to, const volatile void* from, std::size_t size) {
  memcpy(to, const_cast<const void*>(from), size);
}

}  // namespace

// The compilers know libatomic's names as builtins with prototypes of their own, so the functions
// are defined under ours and given theirs in the object file.
#define RADDLE_LIBATOMIC_NAME(name) __asm__("__atomic_" #name)

#define RADDLE_LIBATOMIC_RMW(bytes, name, expression)                                         \
  RADDLE_EXPORT b##bytes libatomic_##name##_##bytes(volatile void*, b##bytes, int)            \
      RADDLE_LIBATOMIC_NAME(name##_##bytes);                                                  \
  b##bytes libatomic_##name##_##bytes(volatile void* address, b##bytes operand, int order) {  \
    return atomic_update(OpKind::atomic_rmw, static_cast<volatile b##bytes*>(address), order, \
                         RADDLE_CALLER, [operand](b##bytes old) { return (expression); });    \
  }

#define RADDLE_LIBATOMIC(bytes)                                                                    \
  RADDLE_EXPORT b##bytes libatomic_load_##bytes(const volatile void*, int)                         \
      RADDLE_LIBATOMIC_NAME(load_##bytes);                                                         \
  b##bytes libatomic_load_##bytes(const volatile void* address, int order) {                       \
    return atomic_load(static_cast<const volatile b##bytes*>(address), order, RADDLE_CALLER);      \
  }                                                                                                \
  RADDLE_EXPORT void libatomic_store_##bytes(volatile void*, b##bytes, int)                        \
      RADDLE_LIBATOMIC_NAME(store_##bytes);                                                        \
  void libatomic_store_##bytes(volatile void* address, b##bytes operand, int order) {              \
    atomic_update(OpKind::atomic_store, static_cast<volatile b##bytes*>(address), order,           \
                  RADDLE_CALLER, [operand](b##bytes) { return operand; });                         \
  }                                                                                                \
  RADDLE_EXPORT bool libatomic_compare_exchange_##bytes(volatile void*, void*, b##bytes, int, int) \
      RADDLE_LIBATOMIC_NAME(compare_exchange_##bytes);                                             \
  bool libatomic_compare_exchange_##bytes(volatile void* address, void* expected,                  \
                                          b##bytes desired, int order, int) {                      \
    b##bytes wanted;                                                                               \
    memcpy(&wanted, expected, sizeof wanted);                                                      \
    b##bytes old = atomic_compare_swap(static_cast<volatile b##bytes*>(address), wanted, desired,  \
                                       order, RADDLE_CALLER);                                      \
    if (old == wanted) return true;                                                                \
    memcpy(expected, &old, sizeof old);                                                            \
    return false;                                                                                  \
  }                                                                                                \
  RADDLE_LIBATOMIC_RMW(bytes, exchange, (static_cast<void>(old), operand))                         \
  RADDLE_LIBATOMIC_RMW(bytes, fetch_add, old + operand)                                            \
  RADDLE_LIBATOMIC_RMW(bytes, fetch_sub, old - operand)                                            \
  RADDLE_LIBATOMIC_RMW(bytes, fetch_and, old& operand)                                             \
  RADDLE_LIBATOMIC_RMW(bytes, fetch_or, old | operand)                                             \
  RADDLE_LIBATOMIC_RMW(bytes, fetch_xor, old ^ operand)                                            \
  RADDLE_LIBATOMIC_RMW(bytes, fetch_nand, ~(old & operand))

RADDLE_LIBATOMIC(1)
RADDLE_LIBATOMIC(2)
RADDLE_LIBATOMIC(4)
RADDLE_LIBATOMIC(8)
RADDLE_LIBATOMIC(16)

RADDLE_EXPORT void libatomic_any_load(std::size_t size, const volatile void* from, void* to,
                                      int order) RADDLE_LIBATOMIC_NAME(load);
void libatomic_any_load(std::size_t size, const volatile void* from, void* to, int order) {
  pass_big(OpKind::atomic_load, from, size, order, RADDLE_CALLER);
  BigLock lock;
  copy(to, from, size);
}

RADDLE_EXPORT void libatomic_any_store(std::size_t size, volatile void* to, const void* from,
                                       int order) RADDLE_LIBATOMIC_NAME(store);
void libatomic_any_store(std::size_t size, volatile void* to, const void* from, int order) {
  pass_big(OpKind::atomic_store, to, size, order, RADDLE_CALLER);
  BigLock lock;
  copy(const_cast<void*>(to), from, size);
}

RADDLE_EXPORT void libatomic_any_exchange(std::size_t size, volatile void* place,
                                          const void* desired, void* old, int order)
    RADDLE_LIBATOMIC_NAME(exchange);
void libatomic_any_exchange(std::size_t size, volatile void* place, const void* desired, void* old,
                            int order) {
  pass_big(OpKind::atomic_rmw, place, size, order, RADDLE_CALLER);
  BigLock lock;
  copy(old, place, size);
  copy(const_cast<void*>(place), desired, size);
}

RADDLE_EXPORT bool libatomic_any_compare_exchange(std::size_t size, volatile void* place,
                                                  void* expected, const void* desired, int order,
                                                  int) RADDLE_LIBATOMIC_NAME(compare_exchange);
bool libatomic_any_compare_exchange(std::size_t size, volatile void* place, void* expected,
                                    const void* desired, int order, int) {
  pass_big(OpKind::atomic_cas, place, size, order, RADDLE_CALLER);
  BigLock lock;
  if (memcmp(const_cast<const void*>(place), expected, size) == 0) {
    copy(const_cast<void*>(place), desired, size);
    return true;
  }
  copy(expected, place, size);
  return false;
}

RADDLE_EXPORT bool libatomic_any_is_lock_free(std::size_t size, const volatile void*) __asm__(
    "__atomic_is_lock_free");
bool libatomic_any_is_lock_free(std::size_t size, const volatile void*) {
  return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}
