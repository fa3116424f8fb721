// SPDX-License-Identifier: Apache-2.0
//
// The heart of `raddle cc`: a compiler's arguments in, the arguments that build for raddle out.
// Engine side, pure: no file, environment or process is touched here.
//
// Instrumentation is the stock compiler's -fsanitize=thread; raddle's runtime takes libtsan's
// place. Hence two rules:
// - what compiles is given -fsanitize=thread, unless the user's last word on it is no;
// - what links must hide that flag from the driver, which would link libtsan, and takes
//   libraddle_rt.so before every object and library, so that it precedes libc in DT_NEEDED.
// A command that does both passes the flag to the compiler proper only: by a specs file with gcc,
// by -Xclang with clang.
//
// gcc's -flto is dropped where it compiles: with it the instrumentation would run at link time, in
// a driver that must not know of it. (clang instruments before it writes bitcode.)
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cc/response_file.h"

namespace raddle::cc {

enum class Family { kGcc, kClang };

inline constexpr const char* kRuntimeFile = "libraddle_rt.so";
inline constexpr const char* kSpecsFile = "raddle_gcc.specs";

struct Rewrite {
  std::vector<std::string> args;
  bool links_runtime = false;  // kRuntimeFile of the runtime directory is used
  bool uses_specs = false;     // kSpecsFile of the runtime directory is used
};

// Requires: runtime_dir is absolute, so that the program finds the runtime wherever it runs.
Result<Rewrite> rewrite_argv(Family family, const std::vector<Argument>& args,
                             const std::string& runtime_dir);

}  // namespace raddle::cc
