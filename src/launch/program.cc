// SPDX-License-Identifier: Apache-2.0
//
// Finding programs and the runtime library. Engine side.
#include "launch/program.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "launch/did_you_mean.h"
#include "launch/unique_fd.h"

namespace raddle::launch {
namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

// Names of executable files in a directory, each written as `prefix` + name.
std::vector<std::string> programs_in(const std::string& directory, const std::string& prefix) {
  std::vector<std::string> names;
  std::error_code ignored;
  constexpr size_t kNamesMax = 10'000;  // a hint is not worth more
  for (fs::directory_iterator it(directory, ignored), end; it != end && names.size() < kNamesMax;
       it.increment(ignored)) {
    if (ignored) break;
    std::string path = it->path().string();
    if (is_file(path) && access(path.c_str(), X_OK) == 0)
      names.push_back(prefix + it->path().filename().string());
  }
  return names;
}

Error missing(const std::string& name, const std::string& directory) {
  size_t slash = name.rfind('/');
  std::string base = slash == std::string::npos ? name : name.substr(slash + 1);
  std::string hint;
  if (std::string here = "./" + base; here != name && is_file(directory + "/" + base)) {
    hint = ", did you mean " + here + "?";
  } else if (auto found = find_on_path(base); found && slash != std::string::npos) {
    hint = ", did you mean " + *found + "?";
  } else {
    std::string prefix = slash == std::string::npos ? "./" : name.substr(0, slash + 1);
    std::string place = resolve_path(directory, prefix);
    hint = did_you_mean(prefix + base, programs_in(place, prefix));
  }
  if (slash == std::string::npos)
    return {fmt::format("no program `{}` on PATH{}", name, hint), kExitUsage};
  return {fmt::format("no such program: {}{}", name, hint), kExitUsage};
}

Result<std::string> find_program(const std::string& name, const std::string& directory) {
  if (name.empty()) return Error{"the name of the program is empty", kExitUsage};
  if (name.find('/') == std::string::npos) {
    if (auto found = find_on_path(name)) return *found;
    return missing(name, directory);
  }
  std::string path = resolve_path(directory, name);
  struct stat info;
  if (stat(path.c_str(), &info) == 0) return path;
  if (errno == ENOENT || errno == ENOTDIR) return missing(name, directory);
  return Error{fmt::format("cannot read {}: {}", name, strerror(errno)), kExitUsage};
}

}  // namespace

std::optional<std::string> find_on_path(const std::string& name) {
  const char* variable = getenv("PATH");
  std::string list = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  for (size_t begin = 0; begin <= list.size();) {
    size_t end = list.find(':', begin);
    if (end == std::string::npos) end = list.size();
    std::string candidate = list.substr(begin, end - begin);
    candidate = (candidate.empty() ? "." : candidate) + "/" + name;
    if (is_file(candidate) && access(candidate.c_str(), X_OK) == 0) return candidate;
    begin = end + 1;
  }
  return std::nullopt;
}

std::string resolve_path(const std::string& directory, const std::string& path) {
  return (fs::path(directory) / path).lexically_normal().string();
}

Result<Program> load_program(std::vector<std::string> argv, const std::string& directory,
                             const std::string& stdin_file) {
  Program program;
  program.argv = std::move(argv);
  program.directory = directory;
  program.stdin_file = stdin_file;
  auto path = find_program(program.argv.at(0), directory);
  if (!path) return path.error();
  program.path = resolve_path(directory, *path);
  auto facts = inspect_executable(program.path, program.argv[0]);
  if (!facts) return facts.error();
  program.elf = *facts;
  if (!stdin_file.empty()) {
    UniqueFd input(open(resolve_path(directory, stdin_file).c_str(), O_RDONLY | O_CLOEXEC));
    if (!input.valid())
      return Error{fmt::format("cannot read the input file {}: {}", stdin_file, strerror(errno)),
                   kExitUsage};
  }
  return program;
}

std::string own_executable() {
  std::error_code failure;
  fs::path self = fs::read_symlink("/proc/self/exe", failure);
  return failure ? std::string() : self.string();
}

Result<std::string> support_file(const std::string& name) {
  if (const char* directory = getenv("RADDLE_RUNTIME_DIR"); directory != nullptr && *directory) {
    std::string file = fs::absolute(fs::path(directory) / name).lexically_normal().string();
    if (is_file(file)) return file;
    return Error{fmt::format("RADDLE_RUNTIME_DIR names {}, which has no {}", directory, name),
                 kExitCannotRun};
  }
  fs::path self = own_executable();
  if (self.empty())
    return Error{"cannot find raddle's own executable: /proc is missing", kExitCannotRun};
  fs::path file = (self.parent_path() / "../lib" / name).lexically_normal();
  if (is_file(file.string())) return file.string();
  return Error{fmt::format("raddle's runtime {} is missing; build or install raddle again, or name "
                           "its directory in RADDLE_RUNTIME_DIR",
                           file.string()),
               kExitCannotRun};
}

Result<std::string> runtime_library() { return support_file("libraddle_rt.so"); }

Result<std::string> gdb_script() { return support_file("raddle_gdb.py"); }

}  // namespace raddle::launch
