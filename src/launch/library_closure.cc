// SPDX-License-Identifier: Apache-2.0
//
// Asking the dynamic linker. Engine side.
#include "launch/library_closure.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "launch/elf_file.h"
#include "launch/elf_survey.h"
#include "launch/shell_command.h"

namespace raddle::launch {
namespace {

namespace fs = std::filesystem;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// "libm.so.6 => /lib/libm.so.6 (0x7f...)" without the address.
std::string_view without_address(std::string_view text) {
  std::size_t at = text.rfind(" (0x");
  return at == std::string_view::npos ? text : text.substr(0, at);
}

}  // namespace

std::vector<Library> parse_library_list(std::string_view text) {
  std::vector<Library> libraries;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    constexpr std::string_view kArrow = " => ";
    std::size_t arrow = line.find(kArrow);
    if (arrow == std::string_view::npos) {
      // A library named by a path of its own, or the vdso or the linker.
      std::string_view path = without_address(line);
      bool linker = path.find("/ld-linux") != std::string_view::npos;
      if (path.size() == line.size() || !path.starts_with('/') || linker) continue;
      libraries.push_back({fs::path(path).filename().string(), std::string(path)});
      continue;
    }
    std::string_view name = trimmed(line.substr(0, arrow));
    std::string_view path = without_address(trimmed(line.substr(arrow + kArrow.size())));
    if (name.find("ld-linux") != std::string_view::npos) continue;
    if (path == "not found") path = {};
    libraries.push_back({fs::path(name).filename().string(), std::string(path)});
  }
  return libraries;
}

Result<std::vector<Library>> library_closure(const Program& program) {
  auto survey = survey_object(program.path);
  if (!survey) return survey.error();
  // The program's own linker, asked to list instead of running the program. (Its option --list
  // stops at the first library that is missing.)
  auto listed = run_program({survey->interpreter, program.path}, program.directory,
                            {{"LD_TRACE_LOADED_OBJECTS", "1"}});
  if (!listed) return listed.error();
  if (listed->wait_status != 0 && listed->output.find(" => ") == std::string::npos)
    return Error{fmt::format("the dynamic linker cannot load {}: {}", program.argv[0],
                             trimmed(listed->output)),
                 kExitCannotRun};
  return parse_library_list(listed->output);
}

bool is_system_library(const std::string& path) {
  constexpr std::array<std::string_view, 6> kPlaces = {"/lib/",     "/lib64/",     "/lib32/",
                                                       "/usr/lib/", "/usr/lib64/", "/usr/libexec/"};
  std::error_code failure;
  std::string real = fs::canonical(path, failure).string();
  if (failure) real = path;
  for (std::string_view place : kPlaces)
    if (real.starts_with(place)) return true;
  return false;
}

std::vector<Library> invisible_libraries(const std::vector<Library>& libraries) {
  std::vector<Library> invisible;
  for (const Library& library : libraries) {
    if (library.path.empty() || is_system_library(library.path)) continue;
    if (library.name.starts_with("libraddle_")) continue;  // ours, of the same prefix
    auto survey = survey_object(library.path);
    if (survey && !survey->reports_accesses) invisible.push_back(library);
  }
  return invisible;
}

}  // namespace raddle::launch
