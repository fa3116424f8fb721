// SPDX-License-Identifier: Apache-2.0
// Each thread has a buffer of its own.
#include <locale>
#include <thread>

char shared[8];
char other[8];

unsigned length = 7;  // not known to the compiler

void narrow_twice(const char* text, char* to) {
  const auto& facet = std::use_facet<std::ctype<char>>(std::locale::classic());
  // The first time may be left to the library's own code.
  for (int i = 0; i < 2; ++i) facet.narrow(text, text + length, '?', to);
}

int main() {
  std::thread a([] { narrow_twice("abcdefg", shared); }), b([] { narrow_twice("hijklmn", other); });
  a.join();
  b.join();
}
