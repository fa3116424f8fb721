// SPDX-License-Identifier: Apache-2.0
//
// What libc keeps between calls: tokens, options, time zone, tables, messages.
#include <search.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "fresh.h"

namespace {

char words[] = "a b c d";
void look() {
  FRESH(optind == 1 && opterr == 1 && optarg == nullptr);
  FRESH(fresh::is(words, "a b c d"));
  FRESH(mbsinit(nullptr) != 0);
  ENTRY entry{words, nullptr};
  FRESH(hsearch(entry, FIND) == nullptr);
  FRESH(timezone == 0);
  time_t zero = 0;
  FRESH(localtime(&zero)->tm_hour == gmtime(&zero)->tm_hour);
}
void leave(int) {
  strtok(words, " ");
  optind = 7;
  opterr = 0;
  char program[] = "p";
  char option[] = "-x";
  char* list[] = {program, option, nullptr};
  optind = 1;
  getopt(2, list, "y");
  hcreate(30);
  ENTRY entry{words, words};
  hsearch(entry, ENTER);
  setenv("TZ", "LATE-7", 1);
  tzset();
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
