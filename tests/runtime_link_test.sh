#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds the runtime library ($1) to its ground rules: libc is all it needs, it has one constructor
# (no static constructors of C++ objects), and it defines the whole ABI that both compilers call and
# that the compiler wrapper links against.
set -u
library=$1
failures=0
fail() {
  echo "runtime_link_test: $1"
  failures=$((failures + 1))
}

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')
[ "$needed" = "libc.so.6 " ] || fail "needs $needed, not just libc.so.6"

# One pointer of eight bytes: the constructor in start.cc.
size=$(readelf -SW "$library" | sed -n 's/.* INIT_ARRAY *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p')
[ "$((16#$size))" -eq 8 ] || fail ".init_array has 0x$size bytes: a static constructor was added"

defined=$(nm -D --defined-only "$library" | awk '{print $3}')
has() { grep -qx "$1" <<<"$defined" || fail "does not define $1"; }
for bytes in 1 2 4 8 16; do
  for access in read write; do
    has "__tsan_$access$bytes"
    has "__tsan_unaligned_$access$bytes"
    has "__tsan_volatile_$access$bytes"
    has "__tsan_unaligned_volatile_$access$bytes"
  done
  has "__tsan_read_write$bytes"
  for operation in load store exchange compare_exchange fetch_add fetch_sub fetch_and fetch_or \
    fetch_xor fetch_nand; do
    has "__atomic_${operation}_$bytes"
  done
done
for bits in 8 16 32 64 128; do
  for operation in load store exchange fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_nand \
    compare_exchange_strong compare_exchange_weak compare_exchange_val; do
    has "__tsan_atomic${bits}_$operation"
  done
done
for name in __tsan_init __tsan_func_entry __tsan_func_exit __tsan_vptr_update __tsan_vptr_read \
  __tsan_read_range __tsan_write_range __tsan_atomic_thread_fence __tsan_atomic_signal_fence \
  __atomic_load __atomic_store __atomic_exchange __atomic_compare_exchange; do
  has "$name"
done
for name in raddle_event raddle_name_thread raddle_schedule_begin raddle_schedule_end \
  raddle_schedule_name raddle_schedule_error; do
  has "$name"
done
# The compiler wrapper sends calls of these functions to the runtime: all are there, and no others.
names=$(sed -n 's/^-Wl,--wrap=//p' "$(dirname "$library")/raddle_link.options")
[ "$(wc -w <<<"$names")" -ge 100 ] || fail "the list of wrapped functions was not found"
for name in $names; do
  has "__wrap_$name"
done
for name in $(sed -n 's/^__wrap_//p' <<<"$defined"); do
  grep -qx "$name" <<<"$names" || fail "__wrap_$name is not in the list of wrapped functions"
done

# OpenMP: libgomp's own functions must not meet teams that they know nothing of. All that concern
# threads are there; the rest (devices' memory, places, allocators, offloading, OpenACC) stay its.
libgomp=$(gcc -print-file-name=libgomp.so)
exported=$(nm -D --defined-only "$libgomp" | awk '{print $3}' | sed 's/@.*//' | sort -u |
  grep -E '^(GOMP|omp)_' |
  grep -vE '^GOMP_([0-9]|PLUGIN|offload|alloc|free|error|warning)' |
  grep -vE '^omp_.*(alloc|free|affinity|place|proc_bind|device|target|display|pause|team_num)' |
  grep -vE '^omp_.*(num_teams|max_teams|teams_thread_limit|task_priority|supported_active)')
[ "$(wc -w <<<"$exported")" -ge 150 ] || fail "the functions of libgomp were not found: $libgomp"
for name in $exported; do
  has "$name"
done

[ "$failures" -eq 0 ] && echo "runtime_link_test: all rules hold"
exit $((failures > 0))
