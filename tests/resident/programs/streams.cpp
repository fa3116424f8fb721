// SPDX-License-Identifier: Apache-2.0
//
// What iostreams keep: flags, states, precision, buffers, locale, the tie to stdio.
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>

#include "fresh.h"

namespace {

std::ostringstream other;
void look() {
  FRESH(std::cout.good() && std::cout.precision() == 6 && std::cout.fill() == ' ');
  FRESH((std::cout.flags() & std::ios::hex) == 0 && std::cin.tie() == &std::cout);
  FRESH(std::cin.good() && std::cout.rdbuf() != nullptr &&
        std::cout.exceptions() == std::ios::goodbit);
  FRESH(std::locale() == std::locale::classic());
  FRESH(std::cout.iword(std::ios::xalloc()) == 0);
  std::cout << 255 << ' ' << 1.0 / 3 << '\n';
}
void leave(int order) {
  std::cout << std::hex << std::setprecision(3) << std::setfill('*') << "not flushed";
  std::cin.tie(nullptr);
  std::cin.setstate(std::ios::failbit);
  std::cout.iword(std::ios::xalloc()) = 5;
  if (order == 12) std::cout.rdbuf(other.rdbuf());
  if (order == 21) std::ios::sync_with_stdio(false);
  std::cout << "more";
  std::cout.setstate(std::ios::badbit);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
