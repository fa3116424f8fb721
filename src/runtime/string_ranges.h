// SPDX-License-Identifier: Apache-2.0
//
// How many bytes functions on strings read: exactly as many as their result depends on, so that
// nothing is reported that the standard allows. Target side; pure.
#pragma once

#include <string.h>
#include <wchar.h>

#include <cstddef>

namespace raddle::runtime {

inline std::size_t string_bytes(const char* text) { return strlen(text) + 1; }

inline std::size_t string_bytes(const wchar_t* text) {
  return (wcslen(text) + 1) * sizeof(wchar_t);
}

// Not beyond `max` bytes, and the terminator if it comes before.
inline std::size_t string_bytes(const char* text, std::size_t max) {
  std::size_t length = strnlen(text, max);
  return length < max ? length + 1 : max;
}

// Up to and including the first byte `wanted`, or all.
inline std::size_t bytes_to(const void* from, std::size_t size, int wanted) {
  const void* hit = memchr(from, wanted, size);
  if (hit == nullptr) return size;
  return static_cast<std::size_t>(static_cast<const char*>(hit) - static_cast<const char*>(from)) +
         1;
}

// Up to and including the first difference. (The rest may be read, but decides nothing.)
inline std::size_t compared_bytes(const void* a, const void* b, std::size_t size) {
  const char* left = static_cast<const char*>(a);
  const char* right = static_cast<const char*>(b);
  constexpr std::size_t kBlock = 64;
  std::size_t at = 0;
  while (size - at > kBlock && memcmp(left + at, right + at, kBlock) == 0) at += kBlock;
  while (at < size && left[at] == right[at]) ++at;
  return at < size ? at + 1 : size;
}

// Up to and including the first difference by `same`, or the terminators.
template <class Same>
std::size_t compared_string_bytes(const char* a, const char* b, std::size_t max, Same same) {
  for (std::size_t at = 0; at < max; ++at)
    if (!same(a[at], b[at]) || a[at] == 0) return at + 1;
  return max;
}

// Up to and including the byte at `end`, or the whole string if there is none.
inline std::size_t bytes_through(const char* text, const char* end) {
  return end == nullptr ? string_bytes(text) : static_cast<std::size_t>(end - text) + 1;
}

// What strtok_r does to the text at `text`.
struct TokenRange {
  std::size_t read;  // bytes
  char* end;         // is overwritten by a terminator; null: nothing is
};

inline TokenRange token_range(char* text, const char* separators) {
  std::size_t begin = strspn(text, separators);
  std::size_t end = begin + strcspn(text + begin, separators);
  bool cuts = text[begin] != 0 && text[end] != 0;
  return {end + 1, cuts ? text + end : nullptr};
}

}  // namespace raddle::runtime
