// SPDX-License-Identifier: Apache-2.0
//
// Response files (@file) on a compiler's command line. Engine side. The wrapper must see the
// options inside them (-c, -shared, -fsanitize=...), yet prefers to hand the file on untouched,
// because its content may exceed what one execve can carry; so an argument keeps both forms.
//
// Quoting follows what gcc and clang share: white space separates words, single and double quotes
// group, a backslash takes the next character literally everywhere, also inside quotes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace raddle::cc {

// One argument as the user gave it and the words that it stands for.
// invariant: words is {original} unless original names a readable response file.
struct Argument {
  std::string original;
  std::vector<std::string> words;
};

inline constexpr int kResponseDepthMax = 64;

// Splits text by the quoting rules above.
std::vector<std::string> split_words(std::string_view text);

// The inverse: text which split_words turns back into `words`, one word a line.
std::string join_words(const std::vector<std::string>& words);

// Expands @file arguments, nested ones too. As in gcc, @name stays an ordinary word when there is
// no such file. Fails when files nest deeper than kResponseDepthMax, which means a cycle.
Result<std::vector<Argument>> expand_response_files(const std::vector<std::string>& args);

}  // namespace raddle::cc
