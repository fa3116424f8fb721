// SPDX-License-Identifier: Apache-2.0
//
// Program: what is run, where and on which input, checked before anything starts. Engine side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "launch/elf_inspect.h"

namespace raddle::launch {

struct Program {
  std::vector<std::string> argv;  // [0] as the user gave it
  std::string path;               // of the executable, absolute
  std::string directory;          // working directory of every run, absolute
  std::string stdin_file;         // as the user gave it, relative to directory; empty: /dev/null
  ElfFacts elf;
};

// Looks argv[0] up as a shell does (with a slash a path, else on PATH) and inspects what it finds.
Result<Program> load_program(std::vector<std::string> argv, const std::string& directory,
                             const std::string& stdin_file);

// `path` as seen from `directory`.
std::string resolve_path(const std::string& directory, const std::string& path);

// As a shell looks up a name without a slash.
std::optional<std::string> find_on_path(const std::string& name);

// This tool itself; empty if /proc is missing.
std::string own_executable();

// A file that raddle brings along: in ../lib beside the tool, or in the directory that the
// environment variable RADDLE_RUNTIME_DIR names.
Result<std::string> support_file(const std::string& name);
// The shared library that goes into the program.
Result<std::string> runtime_library();
// The commands for gdb.
Result<std::string> gdb_script();

}  // namespace raddle::launch
