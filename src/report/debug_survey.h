// SPDX-License-Identifier: Apache-2.0
//
// What the debug information of an object says about how its code was compiled: for `raddle
// doctor`. Engine side. gcc records its options in every compilation unit, clang only its version
// (unless told -grecord-command-line), so what is not recorded is not known.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::report {

struct DebugSurvey {
  std::size_t units = 0;    // 0: no debug information
  std::size_t missing = 0;  // units whose information lies in .dwo files that cannot be read
  std::set<std::string> compilers;          // "GNU C++17 12.2.0"
  std::set<std::string> optimisation;       // "-O0", "-O2"; of the units that say
  std::vector<std::string> uninstrumented;  // source files compiled without -fsanitize=thread
};

// Looks in the object, beside it and below /usr/lib/debug. Nothing if it cannot be read.
std::optional<DebugSurvey> survey_debug_info(const std::string& path);

// One unit's producer text, taken apart.
struct Producer {
  std::string compiler;
  std::string optimisation;          // empty: not recorded
  std::optional<bool> instrumented;  // nothing: not recorded
};
Producer parse_producer(std::string_view text);

}  // namespace raddle::report
