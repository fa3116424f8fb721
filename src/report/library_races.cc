// SPDX-License-Identifier: Apache-2.0
//
// The list of races inside libstdc++. Engine side; pure.
#include "report/library_races.h"

#include <algorithm>
#include <string_view>

#include "report/cpp_names.h"
#include "report/name_match.h"

namespace raddle::report {
namespace {

// A facet keeps the characters that it has narrowed, in a table of bytes that each thread fills
// with the same values. std::regex does so with every pattern. The other overload writes to its
// caller's memory, and is not meant.
bool narrows(const RaceAccess& access) {
  return !access.functions.empty() &&
         access.functions.front() == "std::ctype<char>::narrow(char, char) const";
}

// "std::_Sp_atomic::load" of std::_Sp_atomic<std::shared_ptr<Leaf> >::load(std::memory_order)
// const, or of what it does the exchange by. "": no function at all.
std::string bare_function(const RaceAccess& access) {
  auto bare = [](const std::string& function) {
    return without_template_arguments(function_name(function));
  };
  const std::vector<std::string>& functions = access.functions;
  if (functions.empty()) return "";
  std::string innermost = bare(functions[0]);
  return innermost == "std::swap" && functions.size() > 1 ? bare(functions[1]) : innermost;
}

// The pointer in an atomic shared_ptr or weak_ptr, guarded by a bit of the count that lies after
// it: who has only looked at the pointer unlocks by a relaxed operation, which hands nothing on.
// A shared_ptr of the caller's (that of compare_exchange) has no atomic after its pointer.
bool swaps_pointer(const RaceAccess& access) {
  constexpr std::string_view kFunctions[] = {"std::_Sp_atomic::load", "std::_Sp_atomic::wait",
                                             "std::_Sp_atomic::swap",
                                             "std::_Sp_atomic::compare_exchange_strong"};
  return std::ranges::find(kFunctions, bare_function(access)) != std::end(kFunctions);
}

}  // namespace

std::string library_race(const RaceAccess& a, const RaceAccess& b, bool before_atomic) {
  if (narrows(a) && narrows(b)) return "std::ctype<char>::narrow";
  // Who only looks is the one whose unlocking orders nothing.
  bool one_looks = a.write != b.write;
  if (one_looks && before_atomic && swaps_pointer(a) && swaps_pointer(b))
    return "std::atomic of a smart pointer";
  return "";
}

}  // namespace raddle::report
