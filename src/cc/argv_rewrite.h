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
// Functions of libc that access memory report what they read and write: what links sends their
// calls to the runtime by --wrap, and gcc is kept from putting their work into the code, where it
// would not be instrumented. (strlen may stay: programs make constants by it, and where it is not
// one it is called.) Both are lists in response files that lie beside the runtime.
//
// What compiles finds raddle's headers (<raddle/check.h>), in `include` beside the runtime's
// directory, after all directories of the user's. What links takes libraddle_check.so if it calls
// it
// (--as-needed), after the user's libraries, which may be the ones that do.
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
inline constexpr const char* kCheckFile = "libraddle_check.so";
inline constexpr const char* kSpecsFile = "raddle_gcc.specs";
inline constexpr const char* kGccOptionsFile = "raddle_gcc.options";
inline constexpr const char* kLinkOptionsFile = "raddle_link.options";

struct Rewrite {
  std::vector<std::string> args;
  // Which files of the runtime directory are used.
  bool links_runtime = false;     // kRuntimeFile, kCheckFile and kLinkOptionsFile
  bool uses_specs = false;        // kSpecsFile
  bool uses_gcc_options = false;  // kGccOptionsFile
};

// Requires: runtime_dir is absolute, so that the program finds the runtime wherever it runs.
Result<Rewrite> rewrite_argv(Family family, const std::vector<Argument>& args,
                             const std::string& runtime_dir);

}  // namespace raddle::cc
