// SPDX-License-Identifier: Apache-2.0
//
// Races that the C++ library has with itself: whoever uses it as the standard allows meets them,
// and cannot mend them. Engine side; pure. A closed list of functions (libstdc++ 12), and of each
// the one variable that it is about: the same functions also touch data of their callers, whose
// races are no matter of the library.
#pragma once

#include <string>
#include <vector>

namespace raddle::report {

struct RaceAccess {
  std::vector<std::string> functions;  // innermost first, with parameters
  bool write = false;
};

// What the race is told of by if it is the library's own: the name of a function or a class. Else
// "". `before_atomic`: the word after the bytes that race is an atomic.
std::string library_race(const RaceAccess& a, const RaceAccess& b, bool before_atomic);

}  // namespace raddle::report
