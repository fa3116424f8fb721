// SPDX-License-Identifier: Apache-2.0
//
// Takes parameters, qualifiers and return types off demangled names. Engine side; pure. The grammar
// of demangled names is loose: whatever is not understood stays.
#include "report/cpp_names.h"

namespace raddle::report {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)::";

bool drop_suffix(std::string& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.resize(text.size() - suffix.size());
  return true;
}

void drop_qualifiers(std::string& text) {
  // GCC's clones: "f(int) [clone .part.0]".
  std::size_t clone = text.find(" [clone ");
  if (clone != std::string::npos) text.resize(clone);
  while (drop_suffix(text, " const") || drop_suffix(text, " volatile") || drop_suffix(text, " &") ||
         drop_suffix(text, " &&") || drop_suffix(text, " noexcept")) {
  }
}

// The position of the parenthesis that the last one closes.
std::size_t matching_open(const std::string& text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return i;
  }
  return std::string::npos;
}

void drop_parameters(std::string& text) {
  if (!text.ends_with(')')) return;
  std::size_t open = matching_open(text);
  if (open == std::string::npos || open == 0) return;
  text.resize(open);
}

// The start of the name proper: after the last blank that is in no bracket. Demangled templates
// begin with their return type; "operator new" and "operator bool" hold blanks of their own.
void drop_return_type(std::string& text) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (depth == 0 && text.compare(i, 8, "operator") == 0) break;
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    if (c == ' ' && depth == 0) begin = i + 1;
  }
  text.erase(0, begin);
}

}  // namespace

std::string without_anonymous(std::string_view name) {
  std::string text(name);
  for (std::size_t at; (at = text.find(kAnonymous)) != std::string::npos;)
    text.erase(at, kAnonymous.size());
  return text;
}

std::string function_name(std::string_view demangled) {
  std::string text = without_anonymous(demangled);
  drop_qualifiers(text);
  drop_parameters(text);
  drop_return_type(text);
  if (text.ends_with("}::operator()")) drop_suffix(text, "::operator()");
  return text.empty() ? std::string(demangled) : text;
}

}  // namespace raddle::report
