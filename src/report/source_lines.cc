// SPDX-License-Identifier: Apache-2.0
//
// Reading of source files. Engine side.
#include "report/source_lines.h"

#include <algorithm>

#include "report/file_io.h"

namespace raddle::report {
namespace {

// Blanks around go, tabs and other control characters inside become blanks.
std::string trimmed(const std::string& line) {
  std::string text;
  for (char c : line) text += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? ' ' : c;
  std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::string SourceLines::line(const std::string& file, int line) {
  if (file.empty() || line <= 0) return "";
  auto [entry, fresh] = files_.try_emplace(file);
  if (fresh) {
    bool relative = file[0] != '/' && !directory_.empty();
    Result<std::string> text = read_file(relative ? directory_ + "/" + file : file);
    if (text) entry->second = split_lines(*text);
  }
  auto index = static_cast<std::size_t>(line) - 1;
  return index < entry->second.size() ? entry->second[index] : "";
}

}  // namespace raddle::report
