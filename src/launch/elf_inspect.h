// SPDX-License-Identifier: Apache-2.0
//
// What an executable says about itself, read before anything of it runs. Engine side.
//
// Every reason for which a file cannot be put under control has its own message, which says what to
// do: bad input is exit code 2, a sound program that raddle cannot control is exit code 3.
#pragma once

#include <string>

#include "base/result.h"

namespace raddle::launch {

struct ElfFacts {
  std::string build_id;           // hexadecimal; empty if the linker recorded none
  bool instrumented = false;      // linked against the runtime, so built with `raddle cc` or `c++`
  bool reports_accesses = false;  // some of its own code was compiled so
};

// `path` is opened, `name` is what messages call the program.
Result<ElfFacts> inspect_executable(const std::string& path, const std::string& name);

}  // namespace raddle::launch
