// SPDX-License-Identifier: Apache-2.0
//
// What a compiler command line asks for: where the driver stops, what its inputs are, which
// sanitizers are on at the end. Engine side, pure. It knows gcc's and clang's options only as far
// as raddle's decisions need them: which take a separate value (or that value would look like an
// input), which end the work before the link, which choose a language.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace raddle::cc {

// One option or one input. An option whose value is the next word covers both words.
struct Token {
  bool is_input = false;
  std::string text;   // the option's word, or the input's path
  std::string value;  // the separate value, if the option took one
  size_t begin = 0;   // words [begin, end) of the command line
  size_t end = 0;
};

// The last thing that happens to the inputs.
enum class Phase {
  kNone,        // a question to the compiler, or no input at all: nothing is built
  kPreprocess,  // -E, -M, -MM
  kCompile,     // -c, -S, -fsyntax-only, a precompiled header, ...
  kLink,
};

struct CommandScan {
  Phase phase = Phase::kNone;
  bool compiles = false;          // an input goes through the compiler proper, not only as or ld
  bool preprocesses = false;      // an input is C or C++ (or near) before the preprocessor
  bool instrument = true;         // false: the user's last word is -fno-sanitize=thread (or =all)
  bool relocatable = false;       // -r: the output takes no libraries
  bool old_debug_format = false;  // -gstabs and its like do not go with -g
  std::string static_flag;        // -static or -static-pie, if given
  std::string narrow_flag;        // -m32 and its like, if still in force
  std::string clash_flag;         // the option that asks for a sanitizer raddle cannot live with
  std::string clash_name;         // and that sanitizer
  std::vector<std::string> ignorelists;  // clang: files that say what is not to be instrumented
  size_t tail = 0;  // the word before which more options may still stand: "--", or the end
};

std::vector<Token> tokenize(const std::vector<std::string>& words);
CommandScan scan_command(const std::vector<Token>& tokens);

// The items of a comma-separated list ("undefined,thread"), empty ones included.
std::vector<std::string> split_commas(const std::string& list);

}  // namespace raddle::cc
