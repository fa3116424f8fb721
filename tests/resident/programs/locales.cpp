// SPDX-License-Identifier: Apache-2.0
//
// The locale of the process and of threads.
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>

#include "fresh.h"

namespace {

void look() {
  FRESH(fresh::is(setlocale(LC_ALL, nullptr), "C"));
  FRESH(uselocale(nullptr) == LC_GLOBAL_LOCALE);
  FRESH(MB_CUR_MAX == 1);
  FRESH(fresh::is(nl_langinfo(CODESET), "ANSI_X3.4-1968"));
}
void leave(int order) {
  if (order == 12) setlocale(LC_ALL, "C.UTF-8");
  if (order == 21) uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", nullptr));
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
