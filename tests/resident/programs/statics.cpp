// SPDX-License-Identifier: Apache-2.0
//
// Static objects with and without constructors, and locals whose first construction throws.
#include <string.h>

#include <string>

#include "fresh.h"

namespace {

struct Counted {
  static inline int alive = 0;
  int value = 7;
  Counted() { ++alive; }
  ~Counted() { --alive; }
};
Counted global;
int in_data = 5;
int tries;
std::string text = "short";
char large[300000];
char large_in_data[100000] = {1};
int made_once() {
  static int value = [] {
    if (++tries == 1) throw 1;
    return tries;
  }();
  return value;
}
void look() {
  FRESH(Counted::alive == 1 && global.value == 7 && in_data == 5 && tries == 0 && text == "short");
  static Counted local;
  FRESH(Counted::alive == 2 && local.value == 7);
  try {
    made_once();
  } catch (int) {
  }
  FRESH(tries == 1);
  for (char each : large) FRESH(each == 0);
  FRESH(large_in_data[0] == 1 && large_in_data[99999] == 0);
  local.value = 8;
}
void leave(int order) {
  global.value = in_data = order;
  made_once();
  text.assign(5000, 'x');
  memset(large, order, sizeof large);
  memset(large_in_data, order, sizeof large_in_data);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
