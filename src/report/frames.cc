// SPDX-License-Identifier: Apache-2.0
//
// Telling the user's code from the libraries' by path and module. Engine side; pure.
#include "report/frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "facts/module_table.h"

namespace raddle::report {
namespace {

using facts::Frame;

constexpr std::string_view kSystemFolders[] = {"/usr/include/", "/usr/lib/", "/usr/lib32/",
                                               "/usr/lib64/", "/usr/src/"};
// A C++ library or a compiler installed elsewhere.
constexpr std::string_view kLibraryParts[] = {"/include/c++/", "/lib/gcc/", "/lib/clang/",
                                              "/include/raddle/"};
constexpr std::string_view kSystemModules[] = {
    "libc.so",     "libc-",         "libstdc++.so",  "libc++.so", "libc++abi.so",
    "libgcc_s.so", "libpthread.so", "libm.so",       "ld-linux",  "libatomic.so",
    "libraddle_",  "libdl.so",      "linux-vdso.so", "libgtest",  "libgmock"};
constexpr std::string_view kStartFunctions[] = {"_start", "__libc_start_main",
                                                "__libc_start_call_main", "clone", "start_thread"};

bool is_system_file(const std::string& file) {
  auto starts = [&](std::string_view folder) { return file.starts_with(folder); };
  auto contains = [&](std::string_view part) { return file.find(part) != std::string::npos; };
  return std::ranges::any_of(kSystemFolders, starts) ||
         std::ranges::any_of(kLibraryParts, contains);
}

}  // namespace

bool is_user_code(const Frame& frame) {
  auto is_module = [&](std::string_view name) { return frame.module.starts_with(name); };
  if (std::ranges::any_of(kSystemModules, is_module)) return false;
  if (!frame.file.empty()) return !is_system_file(frame.file);
  if (frame.module.empty()) return false;
  bool start = std::ranges::find(kStartFunctions, frame.function) != std::end(kStartFunctions);
  return !start && !frame.function.starts_with("std::");
}

const Frame* user_frame(std::span<const Frame> frames) {
  const Frame* without_line = nullptr;
  for (const Frame& frame : frames) {
    if (!is_user_code(frame)) continue;
    if (frame.line > 0) return &frame;
    if (without_line == nullptr) without_line = &frame;
  }
  return without_line;
}

Frame best_frame(std::span<const Frame> frames) {
  if (const Frame* frame = user_frame(frames)) return *frame;
  return frames.empty() ? Frame{} : frames.front();
}

std::string site_identity(const Frame& frame) {
  if (frame.file.empty() && frame.function.empty())
    return fmt::format("{}+{:#x}", frame.module, frame.offset);
  return fmt::format("{}:{}:{}", frame.file, frame.line, frame.function);
}

std::string place_text(const Frame& frame) {
  if (!frame.file.empty()) {
    std::string name = facts::base_name(frame.file);
    return frame.line > 0 ? fmt::format("{}:{}", name, frame.line) : name;
  }
  if (!frame.function.empty()) return frame.function;
  return frame.module.empty() ? std::string() : fmt::format("{}+{:#x}", frame.module, frame.offset);
}

std::string frame_text(const Frame& frame) {
  std::string place = place_text(frame);
  bool both = !frame.function.empty() && place != frame.function;
  return both ? fmt::format("{} ({})", frame.function, place) : place;
}

std::string path_below(const std::string& path, const std::string& directory) {
  if (directory.empty() || directory == "/") return path;
  std::string folder = directory.ends_with('/') ? directory : directory + '/';
  return path.starts_with(folder) && path.size() > folder.size() ? path.substr(folder.size())
                                                                 : path;
}

}  // namespace raddle::report
