// SPDX-License-Identifier: Apache-2.0
//
// RADDLE_CHECK: programmer errors, checked in every build, on both sides of the process boundary.
// A failed check is a bug in raddle: it names itself with a raw write(2) and ends the process with
// exit code 70. Never use it for errors of the user, of the operating system or of the target.
#pragma once

namespace raddle {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace raddle

#define RADDLE_CHECK(condition)                                    \
  do {                                                             \
    if (__builtin_expect(!(condition), 0))                         \
      ::raddle::check_failed(#condition, __FILE_NAME__, __LINE__); \
  } while (0)
