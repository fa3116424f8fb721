// SPDX-License-Identifier: Apache-2.0
//
// Ends the process after a failed RADDLE_CHECK. Runs on both sides, possibly inside a signal
// handler or with a broken heap, so it uses nothing but write(2) and _exit(2).
#include "base/check.h"

#include <string.h>
#include <unistd.h>

namespace raddle {
namespace {

void put(const char* text) {
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, strlen(text));
}

}  // namespace

void check_failed(const char* condition, const char* file, int line) {
  char digits[12];
  char* cursor = digits + sizeof digits - 1;
  *cursor = '\0';
  do {
    *--cursor = static_cast<char>('0' + line % 10);
    line /= 10;
  } while (line > 0);
  put("raddle: internal error: ");
  put(condition);
  put(" does not hold at ");
  put(file);
  put(":");
  put(cursor);
  put("\nThis is a bug in raddle, not in the program under test.\n");
  _exit(70);
}

}  // namespace raddle
