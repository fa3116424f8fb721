#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# libraddle_light.a ($1) as users link it: it needs libc only, works from C and C++ without any
# option but -pthread, is clean under ThreadSanitizer, and says what is wrong by the exit code.
# Prints what failed; non-zero on failure.
set -eu
light=$(realpath "$1")
include=$PWD/include
tests=$PWD/tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
  echo "light_link: $*"
  [ ! -f output.txt ] || cat output.txt
  exit 1
}
expect() { # exit code, words of the output, command
  local wanted=$1 words=$2 code=0
  shift 2
  { (ulimit -c 0 && exec timeout 60 "$@") >output.txt 2>&1; } 2>/dev/null || code=$?
  [ "$code" -eq "$wanted" ] || fail "$* exited with $code, expected $wanted:"
  grep -qF -- "$words" output.txt || fail "$* did not say \"$words\":"
}

# Nothing of the C++ library, and one object: its definitions of libc functions are linked all or
# none.
if nm -u "$light" | grep -E ' (_Z|__cxa|__gxx)'; then fail "it needs the C++ library"; fi
[ "$(ar t "$light" | wc -l)" -eq 1 ] || fail "it has several objects"

cat >order.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "raddle/event.h"

static void* say_world(void* unused) {
  RADDLE_EVENT("world");
  puts("world");
  RADDLE_EVENT("said");
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  const unsigned flags = argc > 2 ? RADDLE_SCHEDULE_PASSIVE : 0;
  raddle_schedule_begin("order", argv[1], flags);
  pthread_create(&thread, 0, say_world, 0);
  if (flags) pthread_join(thread, 0);
  puts("hello");
  RADDLE_EVENT("hello");
  RADDLE_EVENT("bye");
  if (!flags) pthread_join(thread, 0);
  raddle_schedule_end();
  return 0;
}
C
cc -Wall -Wextra -Werror -DRADDLE_LIGHT "-I$include" order.c "$light" -o order -pthread
for _ in 1 2 3 4 5; do
  expect 0 hello ./order "hello -> world, said -> bye"
  [ "$(tr '\n' ' ' <output.txt)" = "hello world " ] || fail "wrong order"
done
expect 134 "main is held back at bye" ./order "nothing -> bye"
expect 134 "column 5" ./order "a ->"
expect 1 "by hello -> world: hello has not happened" ./order "hello -> world" passive
# Without RADDLE_LIGHT the events are nothing, and the library is not needed.
sed -e "s/raddle_schedule_begin(.*/(void)argv;/; /raddle_schedule_end/d" order.c >plain.c
cc -Wall -Wextra -Werror "-I$include" plain.c -o plain -pthread
if nm plain | grep raddle_; then fail "events are left in a build without RADDLE_LIGHT"; fi

cat >queue.cpp <<'C'
#include <cstdlib>
#include "light/queue.h"
int main() {
  for (int run = 0; run < 50; ++run) {
    const raddle::ScheduleScope schedule("take waits", raddle::light_tests::kTakeWaits);
    if (raddle::light_tests::add_and_take_twice() != 1) return 1;
  }
  std::puts("fine");
}
C
sed -i 's/cstdlib/cstdio/' queue.cpp
c++ -std=c++20 -DRADDLE_LIGHT "-I$include" "-I$tests" -g -O1 -fsanitize=thread queue.cpp "$light" \
  -o queue_tsan -pthread
expect 0 fine ./queue_tsan
if grep -q "WARNING: ThreadSanitizer" output.txt; then fail "ThreadSanitizer complains:"; fi
echo "light_link: links from C and C++, clean under ThreadSanitizer"
