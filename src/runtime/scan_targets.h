// SPDX-License-Identifier: Apache-2.0
//
// What scanf has written through its arguments. Target side; pure. Stops, without harm, at what it
// does not know. Whether a %n was reached cannot be told from outside, so it is left out.
#pragma once

#include "runtime/format_strings.h"

namespace raddle::runtime {

struct ScanConversion {
  bool suppressed;    // %*d
  bool allocates;     // %ms
  std::size_t width;  // 0: none
  ArgumentLength length;
  char kind;         // 0: not understood
  const char* next;  // of the format
};

// Behind the set of %[...], of which `at` is the first character.
inline const char* end_of_set(const char* at) {
  if (*at == '^') ++at;
  if (*at == ']') ++at;
  while (*at != 0 && *at != ']') ++at;
  return *at != 0 ? at + 1 : at;
}

inline ScanConversion next_scan_conversion(const char* at) {
  ScanConversion result{};
  for (; *at == '*' || *at == '\'' || *at == 'I'; ++at) result.suppressed |= *at == '*';
  result.width = static_cast<std::size_t>(digits_to_int(at));
  result.allocates = *at == 'm';
  if (result.allocates) ++at;
  result.length = length_modifier(at);
  result.kind = *at;
  result.next = *at != 0 ? at + 1 : at;
  if (result.kind == '[') result.next = end_of_set(result.next);
  return result;
}

// The bytes at the target of a conversion that was made; 0 if it is not understood.
inline std::size_t scanned_bytes(const void* target, const ScanConversion& conversion) {
  bool wide = conversion.length == ArgumentLength::wide;
  if (conversion.allocates) return sizeof(char*);
  switch (conversion.kind) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return integer_bytes(conversion.length);
    case 'p':
      return sizeof(void*);
    case 'c':
      return (conversion.width == 0 ? 1 : conversion.width) * (wide ? sizeof(wchar_t) : 1);
    case 's':
    case '[':
      return wide ? string_bytes(static_cast<const wchar_t*>(target))
                  : string_bytes(static_cast<const char*>(target));
    default:
      break;
  }
  if (conversion.kind == 0 || strchr("eEfFgGaA", conversion.kind) == nullptr) return 0;
  if (conversion.length == ArgumentLength::long_double) return sizeof(long double);
  return wide ? sizeof(double) : sizeof(float);
}

// Calls writes(target, bytes) for the first `count` conversions that store something.
template <class Writes>
void visit_targets(const char* format, va_list arguments, int count, Writes writes) {
  while (count > 0 && (format = strchr(format, '%')) != nullptr) {
    ScanConversion conversion = next_scan_conversion(format + 1);
    format = conversion.next;
    if (conversion.kind == '%' || conversion.suppressed) continue;
    if (conversion.kind == 0 || strchr("diouxXpcs[eEfFgGaAn", conversion.kind) == nullptr) return;
    void* target = va_arg(arguments, void*);
    if (conversion.kind == 'n') continue;
    writes(target, scanned_bytes(target, conversion));
    --count;
  }
}

}  // namespace raddle::runtime
