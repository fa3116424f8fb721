// SPDX-License-Identifier: Apache-2.0
//
// The impure shell around argv_rewrite; see wrapper.h.
#include "cc/wrapper.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/result.h"
#include "cc/argv_rewrite.h"
#include "cc/compiler.h"
#include "cc/response_file.h"

namespace raddle::cc {
namespace {

namespace fs = std::filesystem;

// Linux gives argv and the environment together a quarter of the stack's limit, usually 2 MiB.
constexpr size_t kArgBytesMax = 1 << 20;

Result<std::string> runtime_directory() {
  std::error_code error;
  if (const char* named = std::getenv("RADDLE_RUNTIME_DIR"); named != nullptr && *named != 0) {
    const fs::path path = fs::absolute(named, error);
    if (error) return Error{std::string("RADDLE_RUNTIME_DIR: ") + error.message()};
    return path.lexically_normal().string();
  }
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    return Error{"cannot find raddle's own folder (/proc/self/exe: " + error.message() +
                 "); set RADDLE_RUNTIME_DIR to the folder of " + kRuntimeFile};
  }
  return (self.parent_path().parent_path() / "lib").string();
}

Status require_file(const std::string& directory, const char* name) {
  const std::string path = directory + "/" + name;
  if (::access(path.c_str(), R_OK) == 0) return Done{};
  return Error{path + ": " + std::strerror(errno) +
               "; raddle's installation is incomplete, or RADDLE_RUNTIME_DIR names another folder"};
}

Status require_files(const std::string& directory, const Rewrite& rewrite) {
  const std::pair<bool, const char*> files[] = {{rewrite.links_runtime, kRuntimeFile},
                                                {rewrite.links_runtime, kCheckFile},
                                                {rewrite.links_runtime, kLinkOptionsFile},
                                                {rewrite.uses_specs, kSpecsFile},
                                                {rewrite.uses_gcc_options, kGccOptionsFile}};
  for (const auto& [used, name] : files) {
    if (!used) continue;
    if (Status status = require_file(directory, name); !status) return status;
  }
  return Done{};
}

// Words for a human to paste into a shell.
std::string shell_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    if (!text.empty()) text += ' ';
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789-_=+./,:@%^") == std::string::npos;
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

// A response file that had to be taken apart may be too long for execve. Its words then travel in a
// nameless response file, which the compiler inherits as an open descriptor.
Status shorten(std::vector<std::string>& args) {
  size_t bytes = 0;
  for (const std::string& arg : args) bytes += arg.size() + 1 + sizeof(char*);
  if (bytes <= kArgBytesMax) return Done{};
  const std::string text = join_words(args);
  const int fd = ::memfd_create("raddle-cc-arguments", 0);
  if (fd < 0) return Error{std::string("memfd_create: ") + std::strerror(errno)};
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Error{std::string("write of a response file: ") + std::strerror(errno)};
    done += static_cast<size_t>(count);
  }
  args = {"@/proc/self/fd/" + std::to_string(fd)};
  return Done{};
}

Result<std::vector<std::string>> final_command(Language language,
                                               const std::vector<std::string>& args) {
  Result<Compiler> compiler = language == Language::kC ? find_compiler("RADDLE_CC", "gcc")
                                                       : find_compiler("RADDLE_CXX", "g++");
  if (!compiler) return compiler.error();
  Result<std::vector<Argument>> arguments = expand_response_files(args);
  if (!arguments) return arguments.error();
  Result<std::string> runtime_dir = runtime_directory();
  if (!runtime_dir) return runtime_dir.error();
  Result<Rewrite> rewrite = rewrite_argv(compiler->family, *arguments, *runtime_dir);
  if (!rewrite) return rewrite.error();
  if (Status status = require_files(*runtime_dir, *rewrite); !status) return status.error();
  if (Status status = shorten(rewrite->args); !status) return status.error();
  std::vector<std::string> command = compiler->command;
  command.insert(command.end(), rewrite->args.begin(), rewrite->args.end());
  return command;
}

int fail(Language language, const Error& error) {
  std::fprintf(stderr, "raddle %s: error: %s\n", language == Language::kC ? "cc" : "c++",
               error.message.c_str());
  return error.exit_code;
}

}  // namespace

int cc_main(Language language, const std::vector<std::string>& args) {
  Result<std::vector<std::string>> command = final_command(language, args);
  if (!command) return fail(language, command.error());
  if (const char* verbose = std::getenv("RADDLE_CC_VERBOSE");
      verbose != nullptr && std::strcmp(verbose, "1") == 0) {
    std::fprintf(stderr, "%s\n", shell_text(*command).c_str());
  }
  std::vector<char*> argv;
  for (std::string& word : *command) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  return fail(language, Error{"cannot run '" + command->front() + "': " + std::strerror(errno) +
                              "; set " + (language == Language::kC ? "RADDLE_CC" : "RADDLE_CXX") +
                              " to a compiler that is installed"});
}

}  // namespace raddle::cc
