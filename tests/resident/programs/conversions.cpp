// SPDX-License-Identifier: Apache-2.0
//
// iconv, which loads what it needs, and keeps it.
// FORKED: ^$|.
#include <iconv.h>

#include "fresh.h"

namespace {

void look() {
  iconv_t plan = iconv_open("UTF-16", "UTF-8");
  FRESH(plan != reinterpret_cast<iconv_t>(-1));
  char text[] = "abc";
  char out[32];
  char* from = text;
  char* to = out;
  size_t left = 3;
  size_t room = sizeof out;
  FRESH(iconv(plan, &from, &left, &to, &room) == 0 && left == 0 && room == sizeof out - 8);
  iconv_close(plan);
}
void leave(int) { iconv_open("ISO-8859-1", "UTF-8"); }

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
