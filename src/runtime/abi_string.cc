// SPDX-License-Identifier: Apache-2.0
//
// Functions on strings: what instrumented code calls instead of them. Target side. Lengths are
// those of string_ranges.h. The length of what is written is found before it is written, so that an
// overflow is reported while memory is whole.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#include "runtime/ranges.h"
#include "runtime/string_ranges.h"

using namespace raddle::runtime;

extern "C" {
char* __strcpy_chk(char*, const char*, size_t);
char* __stpcpy_chk(char*, const char*, size_t);
char* __strncpy_chk(char*, const char*, size_t, size_t);
char* __stpncpy_chk(char*, const char*, size_t, size_t);
char* __strcat_chk(char*, const char*, size_t);
char* __strncat_chk(char*, const char*, size_t, size_t);
}

namespace {

template <class Char>
void note_string(const Char* text, std::uintptr_t pc) {
  if (watched(pc)) reads_measured(text, pc, [=] { return string_bytes(text); });
}

void note_string(const char* text, size_t max, std::uintptr_t pc) {
  if (watched(pc)) reads_measured(text, pc, [=] { return string_bytes(text, max); });
}

template <class Char>
void note_copy(Char* to, const Char* from, std::uintptr_t pc) {
  if (!watched(pc)) return;
  reads_measured(from, pc, [=] { return string_bytes(from); });
  writes_measured(to, pc, [=] { return string_bytes(from); });
}

// Fills up to `size`.
void note_padded_copy(char* to, const char* from, size_t size, std::uintptr_t pc) {
  if (!watched(pc)) return;
  reads_measured(from, pc, [=] { return string_bytes(from, size); });
  writes(to, size, pc);
}

void note_append(char* to, const char* from, size_t max, std::uintptr_t pc) {
  if (!watched(pc)) return;
  reads_measured(from, pc, [=] { return string_bytes(from, max); });
  reads_measured(to, pc, [=] { return string_bytes(to); });
  size_t length = strlen(to);
  writes_measured(to + length, pc, [=] { return strnlen(from, max) + 1; });
}

template <class Same>
void note_compare(const char* a, const char* b, size_t max, std::uintptr_t pc, Same same) {
  if (!watched(pc)) return;
  auto measure = [=] { return compared_string_bytes(a, b, max, same); };
  reads_measured(a, pc, measure);
  reads_measured(b, pc, measure);
}

constexpr size_t kNoMax = ~size_t{0} >> 1;
constexpr auto kSame = [](char a, char b) { return a == b; };
constexpr auto kSameLetter = [](char a, char b) {
  return tolower(static_cast<unsigned char>(a)) == tolower(static_cast<unsigned char>(b));
};

// A search that ends where find() says, or at the end of the string.
template <class Find>
void note_search(const char* text, std::uintptr_t pc, Find find) {
  if (watched(pc)) reads_measured(text, pc, [=] { return bytes_through(text, find()); });
}

template <class Find>
void note_part_search(const char* text, const char* part, std::uintptr_t pc, Find find) {
  if (!watched(pc)) return;
  reads_measured(part, pc, [=] { return string_bytes(part); });
  reads_measured(text, pc, [=] {
    const char* hit = find();
    size_t length = strlen(part);
    return hit == nullptr ? string_bytes(text) : static_cast<size_t>(hit - text) + length;
  });
}

// A number and what ends it.
template <class Convert>
void note_number(const char* text, char** stop, std::uintptr_t pc, Convert convert) {
  if (!watched(pc)) return;
  int error = errno;
  reads_measured(text, pc, [=] {
    char* end = nullptr;
    convert(text, &end);
    return bytes_through(text, end);
  });
  if (stop != nullptr) writes(stop, sizeof *stop, pc);
  errno = error;
}

void note_token(char* text, const char* separators, std::uintptr_t pc) {
  reads_measured(separators, pc, [=] { return string_bytes(separators); });
  reads_measured(text, pc, [=] { return token_range(text, separators).read; });
  if (char* end = token_range(text, separators).end) writes(end, 1, pc);
}

// strtok's hidden state, which all threads share.
char* strtok_position;

char* next_token(char* text, const char* separators, char** position, std::uintptr_t pc) {
  if (watched(pc)) {
    if (text == nullptr) reads(position, sizeof *position, pc);
    char* begin = text != nullptr ? text : *position;
    if (begin != nullptr) note_token(begin, separators, pc);
    writes(position, sizeof *position, pc);
  }
  return strtok_r(text, separators, position);
}

}  // namespace

RADDLE_WRAP(size_t, strlen)(const char* text) {
  note_string(text, RADDLE_CALLER);
  return strlen(text);
}

RADDLE_WRAP(size_t, strnlen)(const char* text, size_t max) {
  note_string(text, max, RADDLE_CALLER);
  return strnlen(text, max);
}

RADDLE_WRAP(size_t, wcslen)(const wchar_t* text) {
  note_string(text, RADDLE_CALLER);
  return wcslen(text);
}

RADDLE_WRAP(char*, strcpy)(char* to, const char* from) {
  note_copy(to, from, RADDLE_CALLER);
  return strcpy(to, from);
}

RADDLE_WRAP(char*, stpcpy)(char* to, const char* from) {
  note_copy(to, from, RADDLE_CALLER);
  return stpcpy(to, from);
}

RADDLE_WRAP(wchar_t*, wcscpy)(wchar_t* to, const wchar_t* from) {
  note_copy(to, from, RADDLE_CALLER);
  return wcscpy(to, from);
}

RADDLE_WRAP(char*, strncpy)(char* to, const char* from, size_t size) {
  note_padded_copy(to, from, size, RADDLE_CALLER);
  return strncpy(to, from, size);
}

RADDLE_WRAP(char*, stpncpy)(char* to, const char* from, size_t size) {
  note_padded_copy(to, from, size, RADDLE_CALLER);
  return stpncpy(to, from, size);
}

RADDLE_WRAP(char*, strcat)(char* to, const char* from) {
  note_append(to, from, kNoMax, RADDLE_CALLER);
  return strcat(to, from);
}

RADDLE_WRAP(char*, strncat)(char* to, const char* from, size_t max) {
  note_append(to, from, max, RADDLE_CALLER);
  return strncat(to, from, max);
}

RADDLE_WRAP(char*, __strcpy_chk)(char* to, const char* from, size_t room) {
  note_copy(to, from, RADDLE_CALLER);
  return __strcpy_chk(to, from, room);
}

RADDLE_WRAP(char*, __stpcpy_chk)(char* to, const char* from, size_t room) {
  note_copy(to, from, RADDLE_CALLER);
  return __stpcpy_chk(to, from, room);
}

RADDLE_WRAP(char*, __strncpy_chk)(char* to, const char* from, size_t size, size_t room) {
  note_padded_copy(to, from, size, RADDLE_CALLER);
  return __strncpy_chk(to, from, size, room);
}

RADDLE_WRAP(char*, __stpncpy_chk)(char* to, const char* from, size_t size, size_t room) {
  note_padded_copy(to, from, size, RADDLE_CALLER);
  return __stpncpy_chk(to, from, size, room);
}

RADDLE_WRAP(char*, __strcat_chk)(char* to, const char* from, size_t room) {
  note_append(to, from, kNoMax, RADDLE_CALLER);
  return __strcat_chk(to, from, room);
}

RADDLE_WRAP(char*, __strncat_chk)(char* to, const char* from, size_t max, size_t room) {
  note_append(to, from, max, RADDLE_CALLER);
  return __strncat_chk(to, from, max, room);
}

RADDLE_WRAP(int, strcmp)(const char* a, const char* b) {
  note_compare(a, b, kNoMax, RADDLE_CALLER, kSame);
  return strcmp(a, b);
}

RADDLE_WRAP(int, strncmp)(const char* a, const char* b, size_t max) {
  note_compare(a, b, max, RADDLE_CALLER, kSame);
  return strncmp(a, b, max);
}

RADDLE_WRAP(int, strcasecmp)(const char* a, const char* b) {
  note_compare(a, b, kNoMax, RADDLE_CALLER, kSameLetter);
  return strcasecmp(a, b);
}

RADDLE_WRAP(int, strncasecmp)(const char* a, const char* b, size_t max) {
  note_compare(a, b, max, RADDLE_CALLER, kSameLetter);
  return strncasecmp(a, b, max);
}

RADDLE_WRAP(char*, strchr)(const char* text, int wanted) {
  note_search(text, RADDLE_CALLER, [=] { return strchr(text, wanted); });
  return const_cast<char*>(strchr(text, wanted));
}

RADDLE_WRAP(char*, strchrnul)(const char* text, int wanted) {
  note_search(text, RADDLE_CALLER, [=] { return strchrnul(text, wanted); });
  return const_cast<char*>(strchrnul(text, wanted));
}

RADDLE_WRAP(char*, strrchr)(const char* text, int wanted) {
  note_string(text, RADDLE_CALLER);
  return const_cast<char*>(strrchr(text, wanted));
}

RADDLE_WRAP(char*, strstr)(const char* text, const char* part) {
  note_part_search(text, part, RADDLE_CALLER, [=] { return strstr(text, part); });
  return const_cast<char*>(strstr(text, part));
}

RADDLE_WRAP(char*, strcasestr)(const char* text, const char* part) {
  note_part_search(text, part, RADDLE_CALLER, [=] { return strcasestr(text, part); });
  return const_cast<char*>(strcasestr(text, part));
}

RADDLE_WRAP(size_t, strspn)(const char* text, const char* set) {
  note_string(set, RADDLE_CALLER);
  note_search(text, RADDLE_CALLER, [=] { return text + strspn(text, set); });
  return strspn(text, set);
}

RADDLE_WRAP(size_t, strcspn)(const char* text, const char* set) {
  note_string(set, RADDLE_CALLER);
  note_search(text, RADDLE_CALLER, [=] { return text + strcspn(text, set); });
  return strcspn(text, set);
}

RADDLE_WRAP(char*, strpbrk)(const char* text, const char* set) {
  note_string(set, RADDLE_CALLER);
  note_search(text, RADDLE_CALLER, [=] { return text + strcspn(text, set); });
  return const_cast<char*>(strpbrk(text, set));
}

// The copy is a new block, which nobody else knows yet.
RADDLE_WRAP(char*, strdup)(const char* text) {
  note_string(text, RADDLE_CALLER);
  return strdup(text);
}

RADDLE_WRAP(char*, strndup)(const char* text, size_t max) {
  note_string(text, max, RADDLE_CALLER);
  return strndup(text, max);
}

RADDLE_WRAP(char*, strtok)(char* text, const char* separators) {
  return next_token(text, separators, &strtok_position, RADDLE_CALLER);
}

RADDLE_WRAP(char*, strtok_r)(char* text, const char* separators, char** position) {
  return next_token(text, separators, position, RADDLE_CALLER);
}

RADDLE_WRAP(char*, __strtok_r)(char* text, const char* separators, char** position) {
  return next_token(text, separators, position, RADDLE_CALLER);
}

RADDLE_WRAP(char*, strsep)(char** position, const char* separators) {
  std::uintptr_t pc = RADDLE_CALLER;
  if (watched(pc)) {
    reads(position, sizeof *position, pc);
    note_string(separators, pc);
    if (char* text = *position) {
      reads_measured(text, pc, [=] { return strcspn(text, separators) + 1; });
      size_t length = strcspn(text, separators);
      if (text[length] != 0) writes(text + length, 1, pc);
      writes(position, sizeof *position, pc);
    }
  }
  return strsep(position, separators);
}

#define RADDLE_WRAP_NUMBER(type, name)                                                 \
  RADDLE_WRAP(type, name)(const char* text, char** end, int base) {                    \
    note_number(text, end, RADDLE_CALLER,                                              \
                [=](const char* from, char** stop) { (void)name(from, stop, base); }); \
    return name(text, end, base);                                                      \
  }
RADDLE_WRAP_NUMBER(long, strtol)
RADDLE_WRAP_NUMBER(long long, strtoll)
RADDLE_WRAP_NUMBER(unsigned long, strtoul)
RADDLE_WRAP_NUMBER(unsigned long long, strtoull)

RADDLE_WRAP(double, strtod)(const char* text, char** end) {
  note_number(text, end, RADDLE_CALLER,
              [](const char* from, char** stop) { (void)strtod(from, stop); });
  return strtod(text, end);
}

RADDLE_WRAP(int, atoi)(const char* text) {
  note_number(text, nullptr, RADDLE_CALLER,
              [](const char* from, char** stop) { (void)strtol(from, stop, 10); });
  return atoi(text);
}

RADDLE_WRAP(long, atol)(const char* text) {
  note_number(text, nullptr, RADDLE_CALLER,
              [](const char* from, char** stop) { (void)strtol(from, stop, 10); });
  return atol(text);
}

RADDLE_WRAP(double, atof)(const char* text) {
  note_number(text, nullptr, RADDLE_CALLER,
              [](const char* from, char** stop) { (void)strtod(from, stop); });
  return atof(text);
}

// These return a buffer of libc's that all threads share.
RADDLE_WRAP(tm*, gmtime)(const time_t* time) {
  std::uintptr_t pc = RADDLE_CALLER;
  if (watched(pc)) reads(time, sizeof *time, pc);
  tm* result = gmtime(time);
  if (result != nullptr) has_written(result, sizeof *result, pc);
  return result;
}

RADDLE_WRAP(tm*, localtime)(const time_t* time) {
  std::uintptr_t pc = RADDLE_CALLER;
  if (watched(pc)) reads(time, sizeof *time, pc);
  tm* result = localtime(time);
  if (result != nullptr) has_written(result, sizeof *result, pc);
  return result;
}

RADDLE_WRAP(char*, asctime)(const tm* time) {
  std::uintptr_t pc = RADDLE_CALLER;
  if (watched(pc)) reads(time, sizeof *time, pc);
  char* result = asctime(time);
  if (result != nullptr) has_written(result, string_bytes(result), pc);
  return result;
}

RADDLE_WRAP(char*, ctime)(const time_t* time) {
  std::uintptr_t pc = RADDLE_CALLER;
  if (watched(pc)) reads(time, sizeof *time, pc);
  char* result = ctime(time);
  if (result != nullptr) has_written(result, string_bytes(result), pc);
  return result;
}
