// SPDX-License-Identifier: Apache-2.0
//
// How far standard input has been read, by descriptor and by stream.
// STDIN: words and more words, and then some
#include "fresh.h"

namespace {

void look() {
  char word[6] = {};
  FRESH(lseek(0, 0, SEEK_CUR) == 0);
  FRESH(read(0, word, 5) == 5 && fresh::is(word, "words"));
}
void leave(int order) {
  char line[10];
  if (order == 12) {
    FRESH(fgets(line, sizeof line, stdin) != nullptr);
    ungetc('?', stdin);
  } else {
    lseek(0, 0, SEEK_END);
    getc(stdin);
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
