// SPDX-License-Identifier: Apache-2.0
// A library of the program with variables of its own.
int next_of_library();

namespace {
int g_next;
}

int next_of_library() {
  static int made = ++g_next;
  return made;
}
