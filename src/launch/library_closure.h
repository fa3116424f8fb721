// SPDX-License-Identifier: Apache-2.0
//
// The libraries that a program is loaded with, found by the dynamic linker itself, so that run
// paths, LD_LIBRARY_PATH and the linker's cache count as they will. Engine side. No code of the
// program or of its libraries is run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "launch/program.h"

namespace raddle::launch {

struct Library {
  std::string name;  // as it is asked for: libfoo.so.1
  std::string path;  // empty if it was not found
};

// In the order in which they are loaded; the kernel's vdso and the linker itself are left out.
Result<std::vector<Library>> library_closure(const Program& program);

// The same from what the linker prints.
std::vector<Library> parse_library_list(std::string_view text);

// Whether the library lies where the system keeps its own (/lib, /usr/lib and their like, but not
// /usr/local): nobody expects to compile it again.
bool is_system_library(const std::string& path);

// Libraries of the user's that raddle cannot look into: neither the system's nor instrumented.
std::vector<Library> invisible_libraries(const std::vector<Library>& libraries);

}  // namespace raddle::launch
