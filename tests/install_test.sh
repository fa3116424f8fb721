#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` ($1: the build directory) puts into a fresh prefix works from there alone:
# raddle-c++ compiles, raddle finds and replays. Prints what failed; non-zero on failure.
set -eu
source_dir=$PWD
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$1" --prefix "$prefix" >/dev/null
mkdir "$prefix/work"
cd "$prefix/work"
unset RADDLE_RUNTIME_DIR
"$prefix/bin/raddle-c++" -g -O1 "$source_dir/examples/bank.cpp" -o bank
"$prefix/bin/raddle-cc" --version >/dev/null
expect() {
  local wanted=$1 code=0
  shift
  "$@" >output.txt 2>&1 || code=$?
  [ "$code" -eq "$wanted" ] && return
  echo "install_test: $* exited with $code, expected $wanted:"
  cat output.txt
  exit 1
}
expect 1 "$prefix/bin/raddle" test ./bank
expect 1 "$prefix/bin/raddle" replay 1
expect 0 "$prefix/bin/raddle" show 1
cat >light.c <<'C'
#include "raddle/event.h"
int main(void) {
  raddle_schedule_begin("order", "a -> b", 0);
  RADDLE_EVENT("a");
  RADDLE_EVENT("b");
  raddle_schedule_end();
  return 0;
}
C
cc -DRADDLE_LIGHT "-I$source_dir/include" light.c "$prefix/lib/libraddle_light.a" -o light -pthread
expect 0 ./light
gdb_arguments="-nx -batch -ex continue -ex 'raddle threads'"
expect 1 "$prefix/bin/raddle" replay 1 --gdb --gdb-args "$gdb_arguments"
grep -q '^\* T0 main: running' output.txt || { cat output.txt; exit 1; }
echo "install_test: the installed tools compile, find, replay (also below gdb) and show"
