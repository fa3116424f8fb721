// SPDX-License-Identifier: Apache-2.0
//
// scanf and its relatives: what instrumented code calls instead of them. Target side. What they
// write is known only after it was written; the block in front of an overflow can still be named.
#include <stdarg.h>
#include <stdio.h>

#include "runtime/ranges.h"
#include "runtime/scan_targets.h"

using namespace raddle::runtime;

extern "C" {
int __isoc99_vsscanf(const char*, const char*, va_list);
int __isoc99_vfscanf(FILE*, const char*, va_list);
}

namespace {

void note_text(const char* text, std::uintptr_t pc) {
  if (watched(pc)) reads_measured(text, pc, [=] { return string_bytes(text); });
}

void note_targets(const char* format, va_list arguments, int count, std::uintptr_t pc) {
  if (!tracking()) return;
  visit_targets(format, arguments, count,
                [=](void* target, size_t bytes) { has_written(target, bytes, pc); });
}

}  // namespace

// The function's own va_list is used up by the call; the targets are found by a copy.
#define RADDLE_SCAN(call)                              \
  va_list targets;                                     \
  va_copy(targets, arguments);                         \
  int count = call;                                    \
  note_targets(format, targets, count, RADDLE_CALLER); \
  va_end(targets);                                     \
  return count

#define RADDLE_SCAN_ARGUMENTS(call)                    \
  va_list arguments, targets;                          \
  va_start(arguments, format);                         \
  va_copy(targets, arguments);                         \
  int count = call;                                    \
  note_targets(format, targets, count, RADDLE_CALLER); \
  va_end(targets);                                     \
  va_end(arguments);                                   \
  return count

RADDLE_WRAP(int, sscanf)(const char* text, const char* format, ...) {
  note_text(text, RADDLE_CALLER);
  RADDLE_SCAN_ARGUMENTS(vsscanf(text, format, arguments));
}

RADDLE_WRAP(int, __isoc99_sscanf)(const char* text, const char* format, ...) {
  note_text(text, RADDLE_CALLER);
  RADDLE_SCAN_ARGUMENTS(__isoc99_vsscanf(text, format, arguments));
}

RADDLE_WRAP(int, vsscanf)(const char* text, const char* format, va_list arguments) {
  note_text(text, RADDLE_CALLER);
  RADDLE_SCAN(vsscanf(text, format, arguments));
}

RADDLE_WRAP(int, __isoc99_vsscanf)(const char* text, const char* format, va_list arguments) {
  note_text(text, RADDLE_CALLER);
  RADDLE_SCAN(__isoc99_vsscanf(text, format, arguments));
}

RADDLE_WRAP(int, fscanf)(FILE* stream, const char* format, ...) {
  RADDLE_SCAN_ARGUMENTS(vfscanf(stream, format, arguments));
}

RADDLE_WRAP(int, __isoc99_fscanf)(FILE* stream, const char* format, ...) {
  RADDLE_SCAN_ARGUMENTS(__isoc99_vfscanf(stream, format, arguments));
}

RADDLE_WRAP(int, __isoc99_scanf)(const char* format, ...) {
  RADDLE_SCAN_ARGUMENTS(__isoc99_vfscanf(stdin, format, arguments));
}
