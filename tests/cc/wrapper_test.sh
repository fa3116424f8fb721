#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `raddle cc` and `raddle c++` as a build sees them: real compilers, real links, real programs, run
# outside `raddle test`. Every check runs with gcc and with clang; the decisions themselves are
# unit-tested in src/cc.
#
#   wrapper_test.sh path/to/raddle [gcc|clang]...
#
# The raddle-cc and raddle-c++ links must stand beside the binary. Prints each failed check and
# exits 1 if there was one. ccache is tried only where it is installed.

set -u
raddle=$(readlink -f "${1:?usage: wrapper_test.sh path/to/raddle [gcc|clang]...}")
shift
[ $# -gt 0 ] || set -- gcc clang
bin=$(dirname "$raddle")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export CCACHE_DIR=$work/ccache
unset RADDLE_RUNTIME_DIR RADDLE_CC_VERBOSE CFLAGS CXXFLAGS LDFLAGS CPPFLAGS CC CXX
checks=0
failures=0
output=

fail() {
  failures=$((failures + 1))
  echo "FAILED [$RADDLE_CXX]: $1"
  echo "$output" | sed -n '1,15s/^/    /p'
}

# check NAME COMMAND...: succeeds.
check() {
  local name=$1
  shift
  checks=$((checks + 1))
  output=$("$@" 2>&1) || fail "$name"
}

# silent NAME COMMAND...: succeeds and prints nothing.
silent() {
  local name=$1
  shift
  checks=$((checks + 1))
  output=$("$@" 2>&1) && [ -z "$output" ] || fail "$name"
}

# refused NAME TEXT COMMAND...: exit code 2 and a message with TEXT.
refused() {
  local name=$1 text=$2 code=0
  shift 2
  checks=$((checks + 1))
  output=$("$@" 2>&1) || code=$?
  [ "$code" = 2 ] && grep -qF -- "$text" <<<"$output" || fail "$name (exit code $code)"
}

# prints NAME TEXT COMMAND...: succeeds with exactly TEXT.
prints() {
  local name=$1 text=$2
  shift 2
  checks=$((checks + 1))
  output=$("$@" 2>&1) && [ "$output" = "$text" ] || fail "$name (wanted: $text)"
}

instrumented() { nm "$1" | grep -q ' U __tsan_\(read\|write\|unaligned\|atomic\)'; }
plain() { ! nm "$1" | grep -q __tsan_; }

# The first library that the loader takes is the runtime, and libtsan is nowhere.
linked() {
  readelf -d "$1" | grep -m1 NEEDED | grep -q 'libraddle_rt\.so' &&
    ! readelf -d "$1" | grep -q 'libtsan' && ! nm "$1" | grep -q __tsan_default_options
}

write_sources() {
  mkdir -p "$1" && cd "$1" || exit 1
  cat >part.c <<'END'
#include <stdatomic.h>
int total;
atomic_int seen;
/* gcc says -Wtsan to a fence unless told not to. */
int add(int *to, int n) {
  atomic_thread_fence(memory_order_seq_cst);
  atomic_fetch_add(&seen, 1);
  return *to += n;
}
END
  cat >main.c <<'END'
#include <stdio.h>
extern int total;
int add(int *to, int n);
int main(void) {
  add(&total, 40);
  printf("%d\n", add(&total, 2));
  return 0;
}
END
  cat >threads.cc <<'END'
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
std::mutex lock;
int total;
static void work(int n) {
  for (int i = 0; i < n; ++i) {
    std::lock_guard<std::mutex> hold(lock);
    ++total;
  }
}
int main() {
  std::thread one(work, 20), two(work, 22);
  one.join();
  two.join();
  try {
    if (total != 42) return 1;
    throw std::runtime_error("thrown");
  } catch (const std::exception& error) {
    std::printf("%d %s\n", total, error.what());
  }
}
END
  cat >twice.s <<'END'
  .text
  .globl twice
  .type twice, @function
twice:
  leal (%rdi,%rdi), %eax
  ret
  .size twice, .-twice
  .section .note.GNU-stack,"",@progbits
END
}

test_steps() {
  silent "compile only" "$raddle" cc -Wall -Wextra -Werror -O1 -c part.c main.c
  check "compile only instruments" instrumented part.o
  silent "link only" "$raddle" cc -Werror part.o main.o -o steps
  check "link only links the runtime first" linked steps
  prints "runs outside raddle" 42 ./steps
  silent "several sources in one command" "$raddle" cc -Wall -Wextra -Werror part.c main.c -o once
  check "compile and link instruments" instrumented once
  check "compile and link links the runtime first" linked once
  prints "one command runs" 42 ./once
  silent "source and object mixed" "$raddle" cc -Werror main.c part.o -o mixed
  prints "mixed runs" 42 ./mixed
  silent "C++ threads" "$raddle" c++ -std=c++17 -Wall -Wextra -Werror -pthread threads.cc -o threads
  check "C++ threads link" linked threads
  prints "C++ threads run" "42 thrown" ./threads
  silent "raddle-cc" "$bin/raddle-cc" -Werror part.c main.c -o alias
  prints "raddle-cc's program runs" 42 ./alias
  silent "raddle-c++" "$bin/raddle-c++" -Werror -pthread threads.cc -o alias_cxx
  prints "raddle-c++'s program runs" "42 thrown" ./alias_cxx
  silent "no source lines missing" "$raddle" cc -c part.c -o lines.o
  check "debug info by default" grep -q debug_info <(readelf -S lines.o)
  silent "-g0 wins" "$raddle" cc -g0 -c part.c -o bare.o
  check "no debug info with -g0" [ "$(readelf -S bare.o | grep -c debug_info)" = 0 ]
  silent "assembler" "$raddle" cc -Werror -c twice.s
  silent "-S then assemble" "$raddle" cc -Werror -S part.c -o part_c.s
  silent "assembling the compiler's output" "$raddle" cc -Werror -c part_c.s
  check "instrumentation survives -S" instrumented part_c.o
  silent "preprocessed source" "$raddle" cc -Werror -E part.c -o part.i
  silent "compiling it" "$raddle" cc -Werror -c part.i -o part_i.o
  check "preprocessed source is instrumented" instrumented part_i.o
}

test_kinds_of_output() {
  silent "shared library" "$raddle" cc -Werror -shared -fPIC part.c -Wl,-z,defs -o libpart.so
  check "shared library is instrumented" instrumented libpart.so
  silent "program with it" "$raddle" cc -Werror main.c -L. -lpart "-Wl,-rpath,\$ORIGIN" -o shared
  check "program with it links" linked shared
  prints "program with it runs" 42 ./shared
  silent "-r" "$raddle" cc -Werror -r part.c main.c -o both.o
  silent "link of -r" "$raddle" cc -Werror both.o -o whole
  prints "program of -r runs" 42 ./whole
  silent "-pie" "$raddle" cc -Werror -fPIE -pie part.c main.c -o pie
  prints "-pie runs" 42 ./pie
  silent "-no-pie" "$raddle" cc -Werror -fno-pie -no-pie part.c main.c -o no_pie
  prints "-no-pie runs" 42 ./no_pie
  silent "-flto in one command" "$raddle" cc -Werror -O2 -flto part.c main.c -o lto
  check "-flto is instrumented" instrumented lto
  silent "-flto compile" "$raddle" cc -Werror -O2 -flto -c part.c main.c
  silent "-flto link" "$raddle" cc -Werror -O2 -flto part.o main.o -o lto_link
  check "-flto in two steps is instrumented" instrumented lto_link
  prints "-flto runs" 42 ./lto_link
  printf '#ifndef ALL_H\n#define ALL_H\nint add(int *to, int n);\n#endif\n' >all.h
  silent "precompiled header" "$raddle" cc -Werror all.h -o all.h.gch
  check "precompiled header exists" [ -s all.h.gch ]
  silent "its use" "$raddle" cc -Werror -Winvalid-pch -include all.h part.c main.c -o pch
  rm -f all.h.gch
  silent "static compiler libraries" "$raddle" c++ -Werror -static-libgcc -static-libstdc++ \
    -pthread threads.cc -o threads
  prints "they run" "42 thrown" ./threads
}

test_response_files() {
  printf '%s\n' -c "'part.c'" -o '"with space.o"' >compile.rsp
  silent "response file: compile" "$raddle" cc -Werror @compile.rsp
  check "response file: instrumented" instrumented "with space.o"
  printf 'with\\ space.o @inner.rsp\n' >link.rsp
  printf -- '-fsanitize=thread main.c\n-o rsp\n' >inner.rsp
  silent "response file: nested" "$raddle" cc -Werror @link.rsp
  check "response file: linked" linked rsp
  prints "response file: runs" 42 ./rsp
  echo @cycle.rsp >cycle.rsp
  refused "response file: cycle" "cycle.rsp" "$raddle" cc @cycle.rsp
  # Longer than one execve may carry, and with a word in it that must go.
  mkdir -p long
  printf '!<arch>\n' >"long/$(printf 'x%.0s' {1..200}).a"
  { echo "-fsanitize=thread part.c main.c -o long/program"; yes long/x*.a | head -12000; } >long.rsp
  silent "response file: too long for execve" "$raddle" cc -Werror @long.rsp
  prints "response file: long one runs" 42 ./long/program
}

test_probes() {
  local cc=$RADDLE_CC question
  for question in --version -dumpversion -dumpmachine -print-search-dirs -print-file-name=libc.so \
    --help; do
    prints "probe $question" "$($cc $question 2>&1)" "$raddle" cc $question
  done
  check "probe -Wl,--version" grep -q "$(ld --version | head -1)" <("$raddle" cc -Wl,--version 2>&1)
  prints "probe -v" "$($cc -v 2>&1)" "$raddle" cc -v
  output=$("$raddle" cc 2>&1) && fail "no arguments must fail as the compiler does"
  grep -q 'no input files' <<<"$output" || fail "no arguments: the compiler's own message"
  prints "probe -E" "$($cc -E main.c)" "$raddle" cc -E main.c
  prints "probe -M" "$($cc -M main.c)" "$raddle" cc -M main.c
  prints "probe -MM" "$($cc -MM main.c)" "$raddle" cc -MM main.c
  prints "probe -E from stdin" "$(echo 'X' | $cc -DX=7 -x c -E - | tail -1)" \
    bash -c "echo X | '$raddle' cc -DX=7 -x c -E - | tail -1"
  silent "-MD" "$raddle" cc -Werror -MD -MF part.d -c part.c
  check "-MD writes its rule" grep -q '^part.o: part.c' part.d
  silent "-fsyntax-only" "$raddle" cc -Werror -fsyntax-only part.c
  silent "compile from stdin" bash -c "'$raddle' c++ -Werror -pthread -x c++ - -o stdin <threads.cc"
  prints "compiled from stdin runs" "42 thrown" ./stdin
  check "-###" "$raddle" cc '-###' part.c main.c -o hash
  check "-### builds nothing" [ ! -e hash ]
  echo 'int main(void) { return missing; }' >bad.c
  check "the compiler's exit code" bash -c "'$raddle' cc -c bad.c; [ \$? = 1 ]"
}

test_sanitizers() {
  local name
  silent "the user's thread sanitizer" "$raddle" cc -Werror -fsanitize=thread part.c main.c -o own
  check "is replaced" linked own
  silent "in a compile" "$raddle" cc -Werror -fsanitize=thread -c part.c main.c
  silent "in a link" "$raddle" cc -Werror -fsanitize=thread part.o main.o -o own_link
  check "is replaced in a link" linked own_link
  prints "and runs" 42 ./own_link
  for name in address leak memory hwaddress; do
    refused "-fsanitize=$name compile" "-fsanitize=$name" "$raddle" cc -fsanitize=$name -c part.c
    refused "-fsanitize=$name link" "-fsanitize=$name" "$raddle" cc -fsanitize=$name part.o main.o
  done
  echo 'int main(int c, char **v) { (void)v; int m = 2147483647; return m + c > 0; }' >overflow.c
  silent "-fsanitize=undefined" "$raddle" cc -Wall -Werror -fsanitize=undefined overflow.c -o ub
  check "-fsanitize=undefined reports" grep -q "signed integer overflow" <(./ub 2>&1)
  silent "undefined,thread" "$raddle" cc -Werror -fsanitize=undefined,thread -c overflow.c
  check "undefined,thread is instrumented" grep -q __tsan_func_entry <(nm overflow.o)
  silent "undefined,thread link" "$raddle" cc -Werror -fsanitize=undefined,thread overflow.o -o ub2
  check "undefined,thread reports" grep -q "signed integer overflow" <(./ub2 2>&1)
  check "undefined,thread links" linked ub2
  silent "opt-out" "$raddle" cc -Werror -fno-sanitize=thread -c part.c -o out.o
  check "opt-out leaves the file plain" plain out.o
  silent "opt-out in one command" "$raddle" cc -Werror -fno-sanitize=thread part.c main.c -o out
  check "opt-out in one command leaves it plain" plain out
}

# Calls of memory functions go to the runtime, whatever the optimiser thinks of them; functions that
# the program defines itself are the ones that are called.
test_memory_functions() {
  cat >copies.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
size_t (*length)(const char *) = strlen;
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int count, char **words) {
  char text[64], more[64];
  int numbers[3] = {3, 1, count};
  memcpy(text, words[0], 2);
  strcpy(text + 2, "hello");
  memset(more, 0, sizeof more);
  snprintf(more, sizeof more, "%s", text + 2);
  qsort(numbers, 3, sizeof numbers[0], by_value);
  printf("%s %d %d\n", more, (int)length(more), numbers[2]);
  return strcmp(more, "hello") != 0;
}
END
  local level
  for level in -O0 -O2 "-O2 -D_FORTIFY_SOURCE=2"; do
    silent "copies $level" "$raddle" cc -Wall -Wextra -Werror $level copies.c -o copies
    check "copies $level go to the runtime" grep -q ' U __wrap_qsort' <(nm copies)
    check "copies $level: no call is left" \
      [ -z "$(nm copies | grep ' U \(mem\|str\|sn\?printf\|qsort\)')" ]
    prints "copies $level run" "hello 5 3" ./copies
  done
  silent "copies of constant size" "$raddle" cc -Werror -O2 -c copies.c -o copies.o
  check "are calls" grep -q ' U memcpy' <(nm copies.o)
  check "and so are comparisons" grep -q " U \(strcmp\|memcmp\|bcmp\)" <(nm copies.o)
  cat >own.c <<'END'
#include <stddef.h>
#include <stdio.h>
char *strpbrk(const char *text, const char *set) {
  printf("own %s\n", set);
  return (char *)text;
}
END
  printf '%s\n' '#include <string.h>' \
    'int main(int c, char **v) { return strpbrk(v[0], "xy") != v[c - 1]; }' >user.c
  silent "a function of the program's own" "$raddle" cc -Werror own.c user.c -o own
  prints "it is called" "own xy" ./own
  printf '%s\n' '#include <stdio.h>' 'char *__wrap_strpbrk(const char *t, const char *s);' \
    'char *__wrap_strpbrk(const char *t, const char *s) { return puts(s) ? (char *)t : 0; }' >mock.c
  silent "a --wrap of the program's own" \
    "$raddle" cc -Werror -Wl,--wrap=strpbrk mock.c user.c -o mock
  prints "it is used" "xy" ./mock
}

# Raddle's own headers and its library of checks come by themselves, but no sooner than the user's,
# and to no program that does not call it.
test_headers() {
  cat >check.cc <<'END'
#include <raddle/check.h>
#include <cstdio>
static void body(void*) {}
int main() {
  raddle_check_request request = {};
  request.version = RADDLE_CHECK_VERSION;
  request.body = body;
  request.schedules = 1;
  const raddle_check_result* result = raddle_check(&request);
  std::printf("%s\n", result->error ? result->error : "checked");
  raddle_check_free(result);
}
END
  silent "raddle's headers" "$raddle" c++ -std=c++20 -Wall -Wextra -Werror check.cc -o check
  check "its library of checks is linked" grep -q libraddle_check <(readelf -d check)
  prints "and works" checked ./check
  silent "library of checks, in two steps" "$raddle" c++ -std=c++20 -Werror -c check.cc
  silent "and linked after a library that calls it" bash -c \
    "ar rc libcheck.a check.o && '$raddle' c++ -L. -lcheck -o check"
  silent "a program without" "$raddle" cc -Werror part.c main.c -o without
  check "does not have it" [ -z "$(readelf -d without | grep libraddle_check)" ]
  mkdir -p own/raddle && echo '#error "the own one"' >own/raddle/check.h
  output=$("$raddle" c++ -Iown -c check.cc 2>&1) && fail "the user's directories come first"
  grep -q "the own one" <<<"$output" || fail "the user's directories come first"
}

test_refusals() {
  rm -f never
  refused "-static" "dynamically linked" "$raddle" cc -static part.c main.c -o never
  refused "-static-pie" "dynamically linked" "$raddle" cc -static-pie part.c main.c -o never
  refused "-m32" "64-bit" "$raddle" cc -m32 part.c main.c -o never
  refused "no runtime" "no-such-folder/libraddle_rt.so" \
    env RADDLE_RUNTIME_DIR=no-such-folder "$raddle" cc part.c main.c -o never
  refused "no compiler" "no-such-gcc" env RADDLE_CC=no-such-gcc "$raddle" cc part.c main.c -o never
  refused "itself as compiler" "names raddle itself" \
    env RADDLE_CC=raddle-cc "$raddle" cc part.c main.c -o never
  check "refusals build nothing" [ ! -e never ]
  mkdir -p options && cp "$bin/../lib/raddle_gcc.options" options/
  silent "compiling needs no runtime" \
    env RADDLE_RUNTIME_DIR=options "$raddle" cc -c part.c -o part.o
  refused "linking needs it" "options/libraddle_rt.so" \
    env RADDLE_RUNTIME_DIR=options "$raddle" cc part.o -o never
  check "RADDLE_CC_VERBOSE" grep -q -- '-fsanitize=thread' \
    <(RADDLE_CC_VERBOSE=1 "$raddle" cc -c part.c 2>&1)
}

test_ccache() {
  command -v ccache >/dev/null || return 0
  local before after
  RADDLE_CC="ccache $RADDLE_CC" silent "ccache behind" "$raddle" cc -Werror -c part.c -o behind.o
  check "ccache behind instruments" instrumented behind.o
  RADDLE_CC="ccache $RADDLE_CC" silent "ccache behind, link" "$raddle" cc part.c main.c -o cached
  prints "ccache behind runs" 42 ./cached
  silent "ccache in front" ccache "$bin/raddle-cc" -Werror -c part.c -o front.o
  before=$(ccache --print-stats | awk '/_cache_hit/ { n += $2 } END { print n }')
  silent "ccache in front again" ccache "$bin/raddle-cc" -Werror -c part.c -o again.o
  after=$(ccache --print-stats | awk '/_cache_hit/ { n += $2 } END { print n }')
  check "ccache in front hits ($before, $after)" [ "$after" -gt "$before" ]
  check "ccache in front instruments" instrumented again.o
}

test_cmake() {
  command -v cmake >/dev/null || return 0
  mkdir -p project && cp ./*.c ./*.cc project/ && rm -f project/bad.c project/overflow.c
  cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(sample C CXX)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
include(CheckCCompilerFlag)
include(CheckFunctionExists)
check_c_compiler_flag(-Wall has_wall)
check_c_compiler_flag(-fno-such-option has_nonsense)
check_function_exists(pthread_create has_pthread_create)
if(NOT has_wall OR has_nonsense OR NOT has_pthread_create)
  message(FATAL_ERROR "wrong answers: ${has_wall} ${has_nonsense} ${has_pthread_create}")
endif()
if(NOT CMAKE_C_COMPILER_ID STREQUAL WANTED_ID OR NOT CMAKE_CXX_COMPILER_ID STREQUAL WANTED_ID)
  message(FATAL_ERROR "identified as ${CMAKE_C_COMPILER_ID} and ${CMAKE_CXX_COMPILER_ID}")
endif()
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8 OR NOT CMAKE_CXX_COMPILER_ABI STREQUAL ELF)
  message(FATAL_ERROR "ABI detection failed: ${CMAKE_SIZEOF_VOID_P} ${CMAKE_CXX_COMPILER_ABI}")
endif()
if("${CMAKE_C_IMPLICIT_LINK_LIBRARIES};${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES}" MATCHES "tsan|raddle")
  message(FATAL_ERROR "taken for implicit: ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES}")
endif()
add_compile_options(-Wall -Wextra -Werror)
add_library(part SHARED part.c)
add_executable(c_program main.c)
target_link_libraries(c_program PRIVATE part)
add_executable(cxx_program threads.cc)
target_link_libraries(cxx_program PRIVATE Threads::Threads)
END
  local id=GNU
  [ "$RADDLE_CC" = gcc ] || id=Clang
  check "cmake configures" env CC="$bin/raddle-cc" CXX="$bin/raddle-c++" \
    cmake -S project -B project/build -DWANTED_ID=$id
  check "cmake builds" cmake --build project/build
  check "cmake's program links" linked project/build/cxx_program
  check "cmake's library is instrumented" instrumented project/build/libpart.so
  prints "cmake's C program runs" 42 project/build/c_program
  prints "cmake's C++ program runs" "42 thrown" project/build/cxx_program
}

# What AC_PROG_CC, AC_C_BIGENDIAN, AC_CHECK_FUNC, AC_CHECK_HEADER and AC_CHECK_SIZEOF do, in the
# order and in the manner of a generated script.
test_configure() {
  mkdir -p configured && cat >configured/configure <<'END'
set -u
say() { echo "configure: error: $*" >&2; exit 77; }
for option in --version -v; do $CC $option >/dev/null 2>&1 || say "$CC $option"; done
echo 'int main (void) { return 0; }' >conftest.c
$CC $CFLAGS conftest.c >log 2>&1 || say "C compiler cannot create executables: $(cat log)"
[ -f a.out ] || say "no default output file a.out"
./a.out || say "cannot run C compiled programs"
rm -f a.out
$CC -o conftest $CFLAGS conftest.c >log 2>&1 && ./conftest || say "-o: $(cat log)"
$CC -c $CFLAGS conftest.c >log 2>&1 && [ -f conftest.o ] || say "object suffix: $(cat log)"
printf '#ifndef __GNUC__\nchoke me\n#endif\n' >conftest.c
$CC -c $CFLAGS conftest.c >log 2>&1 || say "not GNU C: $(cat log)"
printf '#ifdef __STDC__\n# include <limits.h>\n#endif\nSyntax error\n' >conftest.c
$CC -E conftest.c >/dev/null 2>log || say "$CC -E sanity: $(cat log)"
[ ! -s log ] || say "$CC -E is not silent: $(cat log)"
echo '#include <ac_nonexistent.h>' >conftest.c
$CC -E conftest.c >/dev/null 2>&1 && say "$CC -E accepts a missing header"
printf 'char pthread_create ();\nint main (void) { return pthread_create (); }\n' >conftest.c
$CC -o conftest -w conftest.c >log 2>&1 || say "pthread_create: $(cat log)"
printf 'char no_such_function ();\nint main (void) { return no_such_function (); }\n' >conftest.c
$CC -o conftest -w conftest.c >log 2>&1 && say "links a function that does not exist"
printf 'static int test [1 - 2 * !(sizeof (long) == 8)];\nint main (void) { return test[0]; }\n' \
  >conftest.c
$CC -c $CFLAGS conftest.c >log 2>&1 || say "sizeof long: $(cat log)"
echo 'int x (void) { return 1; }' >conftest.c
$CC -c -fPIC -DPIC conftest.c 2>log && $CC -shared conftest.o -Wl,-soname -Wl,libc.so.0 \
  -Wl,--no-undefined -o conftest.so 2>>log || say "shared libraries: $(cat log)"
echo configured
END
  prints "configure" configured bash -c "cd configured && CFLAGS='-g -O2 -Wall -Werror' \
    CC='$bin/raddle-cc' bash ./configure"
}

for family in "$@"; do
  case $family in
    gcc) export RADDLE_CC=gcc RADDLE_CXX=g++ ;;
    clang) export RADDLE_CC=clang RADDLE_CXX=clang++ ;;
    *) echo "wrapper_test.sh: unknown compiler family '$family'" >&2; exit 2 ;;
  esac
  for part in steps kinds_of_output response_files probes sanitizers memory_functions headers \
    refusals ccache cmake configure; do
    write_sources "$work/$family/$part"
    "test_$part"
  done
done
echo "$checks checks, $failures failed"
[ "$failures" = 0 ]
