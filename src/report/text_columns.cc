// SPDX-License-Identifier: Apache-2.0
//
// Clipping and padding. Engine side; pure.
#include "report/text_columns.h"

namespace raddle::report {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::size_t display_width(const std::string& text) {
  std::size_t width = 0;
  for (char c : text) width += continues(c) ? 0 : 1;
  return width;
}

std::string clipped(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  if (width == 0) return "";
  std::size_t seen = 0, end = 0;
  while (end < text.size() && (continues(text[end]) || seen < width - 1)) {
    seen += continues(text[end]) ? 0 : 1;
    ++end;
  }
  std::string cut = text.substr(0, end);
  while (cut.ends_with(' ')) cut.pop_back();
  return cut + "…";
}

std::string padded(const std::string& text, std::size_t width) {
  std::size_t have = display_width(text);
  return have >= width ? text : text + std::string(width - have, ' ');
}

}  // namespace raddle::report
