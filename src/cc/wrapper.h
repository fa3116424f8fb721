// SPDX-License-Identifier: Apache-2.0
//
// `raddle cc` and `raddle c++`, also installed as raddle-cc and raddle-c++: a drop-in for gcc/g++
// and clang/clang++. Engine side. It finds the compiler and raddle's runtime, rewrites the
// arguments (argv_rewrite.h) and becomes the compiler by exec, so that ccache, make and CMake see
// the compiler's own output, signals and exit code.
//
// Environment:
//   RADDLE_CC, RADDLE_CXX  the compiler, several words allowed ("ccache g++"); default gcc, g++
//   RADDLE_RUNTIME_DIR     where libraddle_rt.so is; default ../lib beside the executable's folder
//   RADDLE_CC_VERBOSE      if 1, the final command is printed to standard error
#pragma once

#include <string>
#include <vector>

namespace raddle::cc {

enum class Language { kC, kCxx };

// Requires: `args` without the program's name. Returns only if the compiler could not be started:
// the exit code, after a message on standard error.
int cc_main(Language language, const std::vector<std::string>& args);

}  // namespace raddle::cc
