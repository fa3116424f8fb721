// SPDX-License-Identifier: Apache-2.0
//
// What printf's arguments make it read and write: the strings of %s and the targets of %n. Target
// side; pure. Stops, without harm, at what it does not know: positional arguments and conversions
// that the program has registered.
#pragma once

#include <stdarg.h>
#include <string.h>

#include <cstdint>

#include "runtime/string_ranges.h"

namespace raddle::runtime {

enum class ArgumentLength : std::uint8_t { none, char_size, short_size, wide, long_double };

struct Conversion {
  bool has_precision;
  std::size_t precision;
  ArgumentLength length;
  char kind;         // 0: not understood
  const char* next;  // of the format
};

inline int digits_to_int(const char*& at) {
  int value = 0;
  for (; *at >= '0' && *at <= '9'; ++at)
    if (value < 100'000'000) value = value * 10 + (*at - '0');
  return value;
}

inline ArgumentLength length_modifier(const char*& at) {
  switch (*at) {
    case 'h':
      ++at;
      if (*at != 'h') return ArgumentLength::short_size;
      ++at;
      return ArgumentLength::char_size;
    case 'l':
      ++at;
      if (*at == 'l') ++at;
      return ArgumentLength::wide;
    case 'q':
    case 'j':
    case 'z':
    case 'Z':
    case 't':
      ++at;
      return ArgumentLength::wide;
    case 'L':
      ++at;
      return ArgumentLength::long_double;
    default:
      return ArgumentLength::none;
  }
}

// The conversion after a '%'. A width or precision of '*' takes its argument.
inline Conversion next_conversion(const char* at, va_list arguments) {
  Conversion result{};
  while (*at != 0 && strchr("-+ #0'I", *at) != nullptr) ++at;
  if (*at == '*') {
    va_arg(arguments, int);
    ++at;
  } else {
    digits_to_int(at);
  }
  if (*at == '.') {
    ++at;
    int precision;
    if (*at == '*') {
      precision = va_arg(arguments, int);
      ++at;
    } else {
      precision = digits_to_int(at);
    }
    result.has_precision = precision >= 0;
    result.precision = precision >= 0 ? static_cast<std::size_t>(precision) : 0;
  }
  result.length = length_modifier(at);
  result.kind = *at;
  result.next = *at != 0 ? at + 1 : at;
  return result;
}

inline std::size_t integer_bytes(ArgumentLength length) {
  switch (length) {
    case ArgumentLength::char_size:
      return sizeof(char);
    case ArgumentLength::short_size:
      return sizeof(short);
    case ArgumentLength::none:
      return sizeof(int);
    default:
      return sizeof(long);
  }
}

// Calls reads(text, conversion) for every %s and writes(target, bytes) for every %n.
template <class Reads, class Writes>
void visit_arguments(const char* format, va_list arguments, Reads reads, Writes writes) {
  while ((format = strchr(format, '%')) != nullptr) {
    Conversion conversion = next_conversion(format + 1, arguments);
    format = conversion.next;
    ArgumentLength length = conversion.length;
    if (conversion.kind == '%' || conversion.kind == 'm') continue;
    if (conversion.kind != 0 && strchr("diouxXcC", conversion.kind) != nullptr) {
      length == ArgumentLength::wide || length == ArgumentLength::long_double
          ? va_arg(arguments, long)
          : va_arg(arguments, int);
    } else if (conversion.kind != 0 && strchr("eEfFgGaA", conversion.kind) != nullptr) {
      if (length == ArgumentLength::long_double)
        va_arg(arguments, long double);
      else
        va_arg(arguments, double);
    } else if (conversion.kind == 's') {
      const void* text = va_arg(arguments, const void*);
      if (text != nullptr) reads(text, conversion);
    } else if (conversion.kind == 'n') {
      void* target = va_arg(arguments, void*);
      if (target != nullptr) writes(target, integer_bytes(length));
    } else if (conversion.kind == 'p' || conversion.kind == 'S') {
      va_arg(arguments, void*);
    } else {
      return;
    }
  }
}

// The bytes of a string that its conversion reads.
inline std::size_t argument_bytes(const void* text, const Conversion& conversion) {
  if (conversion.length == ArgumentLength::wide)
    return conversion.has_precision ? 0 : string_bytes(static_cast<const wchar_t*>(text));
  const char* narrow = static_cast<const char*>(text);
  return conversion.has_precision ? string_bytes(narrow, conversion.precision)
                                  : string_bytes(narrow);
}

}  // namespace raddle::runtime
