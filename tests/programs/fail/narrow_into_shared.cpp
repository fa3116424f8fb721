// SPDX-License-Identifier: Apache-2.0
// Bug: Two threads have a facet narrow text into one buffer: that is no race of the library.
// EXPECT: kind=data-race within=20 stack=narrow_twice
#include <locale>
#include <thread>

char shared[8];

unsigned length = 7;  // not known to the compiler

void narrow_twice(const char* text, char* to) {
  const auto& facet = std::use_facet<std::ctype<char>>(std::locale::classic());
  // The first time may be left to the library's own code.
  for (int i = 0; i < 2; ++i) facet.narrow(text, text + length, '?', to);
}

int main() {
  std::thread a([] { narrow_twice("abcdefg", shared); }),
      b([] { narrow_twice("hijklmn", shared); });
  a.join();
  b.join();
}
