// SPDX-License-Identifier: Apache-2.0
//
// iRoots in words: which access depends on which, and where these are. Engine side; pure. For the
// idioms see analysis/idioms.h.
#pragma once

#include <span>
#include <string>

#include "report/names.h"

namespace raddle::report {

struct IdiomAccess {
  std::string operation;  // wire::op_word()
  std::string place;      // "store.cpp:12", "" if unknown
  std::string variable;   // as Names::location() says, "" if unknown
};

// What an access at a site is called.
IdiomAccess idiom_access(SiteId site, wire::OpKind kind, wire::Location where, Names& names);

// "idiom 2: read of `x` at bank.cpp:4 => write at bank.cpp:9 => write at bank.cpp:5". A variable is
// named where it is another one than before. Accesses are in the order A, B, C, D.
std::string idiom_words(unsigned idiom, std::span<const IdiomAccess> accesses);

}  // namespace raddle::report
