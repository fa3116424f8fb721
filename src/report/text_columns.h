// SPDX-License-Identifier: Apache-2.0
//
// Laying rows of text out in columns of a fixed width. Engine side; pure. Widths are counted in
// code points of UTF-8, which is right for all but wide and combining characters.
#pragma once

#include <cstddef>
#include <string>

namespace raddle::report {

std::size_t display_width(const std::string& text);

// At most `width` wide; what is cut off ends in "…".
std::string clipped(const std::string& text, std::size_t width);

// Blanks added up to `width`; not cut.
std::string padded(const std::string& text, std::size_t width);

}  // namespace raddle::report
