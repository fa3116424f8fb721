// SPDX-License-Identifier: Apache-2.0
//
// Suppressions: findings that the user has decided to live with. Engine side; pure. The format is
// ThreadSanitizer's, so that its files can be used as they are: lines `type:pattern`, `#` comments;
// a pattern is a part of a name, `*` stands for anything, `^` and `$` for begin and end.
//
// race, race_top and called_from_lib concern data races and data that no lock protects, deadlock
// orders of locks that could deadlock, mutex misuse of synchronisation, thread leaked threads.
// signal is about reports that raddle does not make: accepted, without effect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/finding.h"

namespace raddle::report {

class Suppressions {
 public:
  // `name` is what error messages call the text.
  static Result<Suppressions> parse(std::string_view text, const std::string& name);

  bool match(const facts::Finding& finding) const;

 private:
  struct Rule {
    std::string type;
    std::string pattern;
  };
  static bool applies(const Rule& rule, const facts::Finding& finding);

  std::vector<Rule> rules_;
};

// Whether the pattern is found in the text.
bool pattern_matches(std::string_view pattern, std::string_view text);

}  // namespace raddle::report
