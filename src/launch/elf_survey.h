// SPDX-License-Identifier: Apache-2.0
//
// What an object file says about itself, without judging it: for `raddle doctor`, and for saying
// which libraries of a program raddle cannot look into. Engine side.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace raddle::launch {

struct ElfSurvey {
  bool linked_to_runtime = false;  // against libraddle_rt.so
  bool reports_accesses = false;   // some of its code was compiled by `raddle cc` or `raddle c++`
  bool pie = false;
  bool unwind_tables = false;  // .eh_frame
  bool debug_info = false;
  bool debug_compressed = false;
  std::string debug_elsewhere;  // the file that has the debug information, if it was moved out
  std::string sanitizer;        // the word after -fsanitize=, or empty
  std::string interpreter;
  std::vector<std::string> needed;  // libraries, as the linker recorded them
};

Result<ElfSurvey> survey_object(const std::string& path);

}  // namespace raddle::launch
