// SPDX-License-Identifier: Apache-2.0
//
// printf and its relatives: what instrumented code calls instead of them. Target side. The strings
// among the arguments are read; what is written into a buffer is measured first, by printing into
// nothing, so that an overflow is reported while memory is whole.
#include <stdarg.h>
#include <stdio.h>

#include "runtime/format_strings.h"
#include "runtime/ranges.h"

using namespace raddle::runtime;

extern "C" {
int __vsprintf_chk(char*, int, size_t, const char*, va_list);
int __vsnprintf_chk(char*, size_t, int, size_t, const char*, va_list);
int __vfprintf_chk(FILE*, int, const char*, va_list);
int __vdprintf_chk(int, int, const char*, va_list);
int __vasprintf_chk(char**, int, const char*, va_list);
}

namespace {

void note_arguments(const char* format, va_list arguments, std::uintptr_t pc) {
  if (!watched(pc)) return;
  reads_measured(format, pc, [=] { return string_bytes(format); });
  va_list copy;
  va_copy(copy, arguments);
  visit_arguments(
      format, copy,
      [=](const void* text, const Conversion& conversion) {
        reads_measured(text, pc, [&] { return argument_bytes(text, conversion); });
      },
      [=](void* target, size_t bytes) { writes(target, bytes, pc); });
  va_end(copy);
}

// What printing needs with its terminator; 0 if it fails.
size_t printed_bytes(const char* format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  int length = vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  return length < 0 ? 0 : static_cast<size_t>(length) + 1;
}

void note_print(char* to, size_t room, const char* format, va_list arguments, std::uintptr_t pc) {
  note_arguments(format, arguments, pc);
  if (!tracking() || room == 0) return;
  writes_measured(to, pc, [&] {
    size_t bytes = printed_bytes(format, arguments);
    return bytes < room ? bytes : room;
  });
}

constexpr size_t kNoRoom = ~size_t{0} >> 1;

void note_made_string(char** to, const char* format, va_list arguments, std::uintptr_t pc) {
  note_arguments(format, arguments, pc);
  if (watched(pc)) writes(to, sizeof *to, pc);
}

}  // namespace

// Calls `call` with the arguments after `last` as the va_list `arguments`.
#define RADDLE_WITH_ARGUMENTS(last, note, call) \
  va_list arguments;                            \
  va_start(arguments, last);                    \
  note;                                         \
  int result = call;                            \
  va_end(arguments);                            \
  return result

RADDLE_WRAP(int, sprintf)(char* to, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_print(to, kNoRoom, format, arguments, RADDLE_CALLER),
                        vsprintf(to, format, arguments));
}

RADDLE_WRAP(int, snprintf)(char* to, size_t room, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_print(to, room, format, arguments, RADDLE_CALLER),
                        vsnprintf(to, room, format, arguments));
}

RADDLE_WRAP(int, vsprintf)(char* to, const char* format, va_list arguments) {
  note_print(to, kNoRoom, format, arguments, RADDLE_CALLER);
  return vsprintf(to, format, arguments);
}

RADDLE_WRAP(int, vsnprintf)(char* to, size_t room, const char* format, va_list arguments) {
  note_print(to, room, format, arguments, RADDLE_CALLER);
  return vsnprintf(to, room, format, arguments);
}

RADDLE_WRAP(int, printf)(const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_arguments(format, arguments, RADDLE_CALLER),
                        vprintf(format, arguments));
}

RADDLE_WRAP(int, fprintf)(FILE* stream, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_arguments(format, arguments, RADDLE_CALLER),
                        vfprintf(stream, format, arguments));
}

RADDLE_WRAP(int, dprintf)(int file, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_arguments(format, arguments, RADDLE_CALLER),
                        vdprintf(file, format, arguments));
}

RADDLE_WRAP(int, asprintf)(char** to, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_made_string(to, format, arguments, RADDLE_CALLER),
                        vasprintf(to, format, arguments));
}

RADDLE_WRAP(int, vprintf)(const char* format, va_list arguments) {
  note_arguments(format, arguments, RADDLE_CALLER);
  return vprintf(format, arguments);
}

RADDLE_WRAP(int, vfprintf)(FILE* stream, const char* format, va_list arguments) {
  note_arguments(format, arguments, RADDLE_CALLER);
  return vfprintf(stream, format, arguments);
}

RADDLE_WRAP(int, vdprintf)(int file, const char* format, va_list arguments) {
  note_arguments(format, arguments, RADDLE_CALLER);
  return vdprintf(file, format, arguments);
}

RADDLE_WRAP(int, vasprintf)(char** to, const char* format, va_list arguments) {
  note_made_string(to, format, arguments, RADDLE_CALLER);
  return vasprintf(to, format, arguments);
}

// What programs built with _FORTIFY_SOURCE call.
RADDLE_WRAP(int, __sprintf_chk)(char* to, int flag, size_t known, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_print(to, kNoRoom, format, arguments, RADDLE_CALLER),
                        __vsprintf_chk(to, flag, known, format, arguments));
}

RADDLE_WRAP(int, __snprintf_chk)
(char* to, size_t room, int flag, size_t known, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_print(to, room, format, arguments, RADDLE_CALLER),
                        __vsnprintf_chk(to, room, flag, known, format, arguments));
}

RADDLE_WRAP(int, __vsprintf_chk)
(char* to, int flag, size_t known, const char* format, va_list arguments) {
  note_print(to, kNoRoom, format, arguments, RADDLE_CALLER);
  return __vsprintf_chk(to, flag, known, format, arguments);
}

RADDLE_WRAP(int, __vsnprintf_chk)
(char* to, size_t room, int flag, size_t known, const char* format, va_list arguments) {
  note_print(to, room, format, arguments, RADDLE_CALLER);
  return __vsnprintf_chk(to, room, flag, known, format, arguments);
}

RADDLE_WRAP(int, __printf_chk)(int flag, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_arguments(format, arguments, RADDLE_CALLER),
                        __vfprintf_chk(stdout, flag, format, arguments));
}

RADDLE_WRAP(int, __fprintf_chk)(FILE* stream, int flag, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_arguments(format, arguments, RADDLE_CALLER),
                        __vfprintf_chk(stream, flag, format, arguments));
}

RADDLE_WRAP(int, __dprintf_chk)(int file, int flag, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_arguments(format, arguments, RADDLE_CALLER),
                        __vdprintf_chk(file, flag, format, arguments));
}

RADDLE_WRAP(int, __asprintf_chk)(char** to, int flag, const char* format, ...) {
  RADDLE_WITH_ARGUMENTS(format, note_arguments(format, arguments, RADDLE_CALLER),
                        __vasprintf_chk(to, flag, format, arguments));
}

RADDLE_WRAP(int, __vfprintf_chk)
(FILE* stream, int flag, const char* format, va_list arguments) {
  note_arguments(format, arguments, RADDLE_CALLER);
  return __vfprintf_chk(stream, flag, format, arguments);
}

RADDLE_WRAP(int, puts)(const char* text) {
  std::uintptr_t pc = RADDLE_CALLER;
  if (watched(pc)) reads_measured(text, pc, [=] { return string_bytes(text); });
  return puts(text);
}

RADDLE_WRAP(int, fputs)(const char* text, FILE* stream) {
  std::uintptr_t pc = RADDLE_CALLER;
  if (watched(pc)) reads_measured(text, pc, [=] { return string_bytes(text); });
  return fputs(text, stream);
}
