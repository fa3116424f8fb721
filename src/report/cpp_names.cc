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

// Takes "[abi:cxx11]" and its like out of a name.
std::string without_abi_tags(std::string_view name) {
  std::string result;
  for (std::size_t tag; (tag = name.find("[abi:")) != name.npos;) {
    std::size_t end = name.find(']', tag);
    if (end == name.npos) break;
    result += name.substr(0, tag);
    name.remove_prefix(end + 1);
  }
  return result += name;
}

// The position of the last "::" that is in no bracket.
std::size_t last_scope(const std::string& text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 1;) {
    char c = text[i];
    if (c == '>' || c == ')' || c == '}' || c == ']') ++depth;
    if (c == '<' || c == '(' || c == '{' || c == '[') --depth;
    if (depth == 0 && c == ':' && text[i - 1] == ':') return i - 1;
  }
  return std::string::npos;
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

std::string static_name(std::string_view demangled) {
  std::string text = without_abi_tags(without_anonymous(demangled));
  std::size_t at = last_scope(text);
  if (at == std::string::npos) return text;
  std::string scope = text.substr(0, at);
  drop_qualifiers(scope);
  if (!scope.ends_with(')')) return text;
  return function_name(scope) + "()" + text.substr(at);
}

}  // namespace raddle::report
