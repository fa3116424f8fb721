// SPDX-License-Identifier: Apache-2.0
//
// __tsan_atomic*: every width and operation of both compilers, forwarded to atomic_ops.h. Target
// side. Macros, because the ABI dictates the names.
#include "runtime/atomic_ops.h"

using namespace raddle::runtime;

namespace {

using a8 = unsigned char;
using a16 = unsigned short;
using a32 = unsigned int;
using a64 = unsigned long;
__extension__ using a128 = unsigned __int128;

}  // namespace

#define RADDLE_RMW(bits, name, expression)                                                       \
  RADDLE_EXPORT a##bits __tsan_atomic##bits##_##name(volatile a##bits* address, a##bits operand, \
                                                     int order) {                                \
    return atomic_update(OpKind::atomic_rmw, address, order, RADDLE_CALLER,                      \
                         [operand](a##bits old) { return (expression); });                       \
  }

#define RADDLE_CAS(bits, name)                                                                 \
  RADDLE_EXPORT int __tsan_atomic##bits##_##name(volatile a##bits* address, a##bits* expected, \
                                                 a##bits desired, int order, int) {            \
    a##bits old = atomic_compare_swap(address, *expected, desired, order, RADDLE_CALLER);      \
    if (old == *expected) return 1;                                                            \
    *expected = old;                                                                           \
    return 0;                                                                                  \
  }

#define RADDLE_ATOMIC(bits)                                                                      \
  RADDLE_EXPORT a##bits __tsan_atomic##bits##_load(const volatile a##bits* address, int order) { \
    return atomic_load(address, order, RADDLE_CALLER);                                           \
  }                                                                                              \
  RADDLE_EXPORT void __tsan_atomic##bits##_store(volatile a##bits* address, a##bits operand,     \
                                                 int order) {                                    \
    atomic_update(OpKind::atomic_store, address, order, RADDLE_CALLER,                           \
                  [operand](a##bits) { return operand; });                                       \
  }                                                                                              \
  RADDLE_RMW(bits, exchange, (static_cast<void>(old), operand))                                  \
  RADDLE_RMW(bits, fetch_add, old + operand)                                                     \
  RADDLE_RMW(bits, fetch_sub, old - operand)                                                     \
  RADDLE_RMW(bits, fetch_and, old& operand)                                                      \
  RADDLE_RMW(bits, fetch_or, old | operand)                                                      \
  RADDLE_RMW(bits, fetch_xor, old ^ operand)                                                     \
  RADDLE_RMW(bits, fetch_nand, ~(old & operand))                                                 \
  RADDLE_CAS(bits, compare_exchange_strong)                                                      \
  RADDLE_CAS(bits, compare_exchange_weak)                                                        \
  RADDLE_EXPORT a##bits __tsan_atomic##bits##_compare_exchange_val(                              \
      volatile a##bits* address, a##bits expected, a##bits desired, int order, int) {            \
    return atomic_compare_swap(address, expected, desired, order, RADDLE_CALLER);                \
  }

RADDLE_ATOMIC(8)
RADDLE_ATOMIC(16)
RADDLE_ATOMIC(32)
RADDLE_ATOMIC(64)
RADDLE_ATOMIC(128)

// Executions are sequentially consistent: a fence changes nothing that a schedule could show.
RADDLE_EXPORT void __tsan_atomic_thread_fence(int order) {
  if (races_wanted() && running()) order_fence(order);
  if (!atomics_are_points()) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return;
  }
  emit({.kind = OpKind::fence,
        .order = static_cast<std::uint8_t>(order),
        .site = site_of(RADDLE_CALLER)},
       g.current->id, 0, 0);
}

RADDLE_EXPORT void __tsan_atomic_signal_fence(int) {}
