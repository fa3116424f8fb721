// SPDX-License-Identifier: Apache-2.0
//
// Which compiler `raddle cc` runs, and of which family it is. Engine side.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cc/argv_rewrite.h"

namespace raddle::cc {

struct Compiler {
  std::vector<std::string> command;  // never empty: a launcher such as ccache, then the compiler
  Family family = Family::kGcc;
};

// By name alone: x86_64-linux-gnu-g++-12 is gcc, clang++-14 is clang, c++ may be either.
std::optional<Family> family_of_command(const std::vector<std::string>& command);

// By the macros that it predefines, in the form that -dM prints. (The text of --version would do
// less well: it names only the Free Software Foundation, as that of any GNU tool does.)
std::optional<Family> family_of_macros(std::string_view text);

// The compiler that the environment variable `variable` names, else `fallback`.
Result<Compiler> find_compiler(const char* variable, const char* fallback);

}  // namespace raddle::cc
