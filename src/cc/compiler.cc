// SPDX-License-Identifier: Apache-2.0
//
// Names first, because they cost nothing; a compiler of an unknown name is asked once for its
// predefined macros.
#include "cc/compiler.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cc/response_file.h"

namespace raddle::cc {
namespace {

std::string base_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0: no slash, the whole
}

// "g++-12" and "clang-14.0.6" without their versions.
std::string_view without_version(std::string_view name) {
  const size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash + 1 == name.size()) return name;
  for (const char c : name.substr(dash + 1)) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.') return name;
  }
  return name.substr(0, dash);
}

bool names_raddle(const std::string& word) {
  const std::string name = base_name(word);
  return name == "raddle" || name == "raddle-cc" || name == "raddle-c++";
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string read_to_end(int fd) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<size_t>(count));
  }
}

Result<std::string> predefined_macros(std::vector<std::string> command) {
  const std::string name = command[0];
  command.insert(command.end(), {"-x", "c", "-dM", "-E", "/dev/null"});
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Error{std::string("pipe: ") + std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t pid = 0;
  std::vector<char*> argv = pointers_to(command);
  const int failure = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failure != 0) {
    ::close(ends[0]);
    return Error{"cannot run '" + name + "': " + std::strerror(failure)};
  }
  std::string text = read_to_end(ends[0]);
  ::close(ends[0]);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return text;
}

}  // namespace

std::optional<Family> family_of_command(const std::vector<std::string>& command) {
  for (const std::string& word : command) {
    if (word.starts_with("-")) continue;
    const std::string base = base_name(word);
    const std::string_view name = without_version(base);
    if (name.ends_with("clang") || name.ends_with("clang++")) return Family::kClang;
    if (name.ends_with("gcc") || name.ends_with("g++")) return Family::kGcc;
  }
  return std::nullopt;
}

std::optional<Family> family_of_macros(std::string_view text) {
  // clang defines both.
  if (text.find("#define __clang__ ") != std::string_view::npos) return Family::kClang;
  if (text.find("#define __GNUC__ ") != std::string_view::npos) return Family::kGcc;
  return std::nullopt;
}

Result<Compiler> find_compiler(const char* variable, const char* fallback) {
  const char* value = std::getenv(variable);
  Compiler compiler;
  if (value != nullptr) compiler.command = split_words(value);
  if (compiler.command.empty()) compiler.command = {fallback};
  for (const std::string& word : compiler.command) {
    if (names_raddle(word)) {
      return Error{std::string(variable) + "='" + value +
                   "' names raddle itself; name the compiler it is to run, such as " + fallback};
    }
  }
  std::optional<Family> family = family_of_command(compiler.command);
  if (!family) {
    Result<std::string> text = predefined_macros(compiler.command);
    if (!text) return text.error();
    family = family_of_macros(*text);
  }
  if (!family) {
    return Error{
        std::string(variable) + "='" + value +
        "' is neither gcc nor clang, by its name or by its macros; raddle knows these two"};
  }
  compiler.family = *family;
  return compiler;
}

}  // namespace raddle::cc
