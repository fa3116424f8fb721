// SPDX-License-Identifier: Apache-2.0
//
// Handlers for the end, of every kind: how many are there shows in what the run prints.
#include <stdlib.h>

#include "fresh.h"

namespace {

int registered;
void look() { FRESH(registered == 0); }
void say() { printf("bye "); }
struct Last {
  ~Last() { printf("last "); }
};
void leave(int) {
  for (int i = 0; i < 40; ++i) atexit(say);
  at_quick_exit([] { puts("quick"); });
  on_exit([](int code, void*) { printf("code %d ", code); }, nullptr);
  registered = 1;
  static Last last;
  static thread_local Last own;
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
