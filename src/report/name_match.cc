// SPDX-License-Identifier: Apache-2.0
//
// See name_match.h. Engine side; pure.
#include "report/name_match.h"

#include <cctype>
#include <vector>

#include "report/cpp_names.h"

namespace raddle::report {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Without the blanks that are a matter of taste: "Map<int, int> const &" -> "Map<int,int>const&".
std::string squeezed(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ' ') {
      result += text[i];
      continue;
    }
    std::size_t next = text.find_first_not_of(' ', i);
    bool between_words =
        !result.empty() && is_word(result.back()) && next != text.npos && is_word(text[next]);
    if (between_words) result += ' ';
  }
  return result;
}

bool is_end_of(std::string_view wanted, std::string_view name) {
  if (name == wanted) return true;
  return name.size() > wanted.size() + 2 && name.ends_with(wanted) &&
         name.substr(name.size() - wanted.size() - 2, 2) == "::";
}

// Whether the `<` or `>` there is a part of an operator's name.
bool of_operator(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && std::string_view("<>-=").find(text[begin - 1]) != std::string_view::npos)
    --begin;
  return text.substr(0, begin).ends_with("operator");
}

// Where the parameters begin: at the bracket that the last one closes; npos if there are none.
std::size_t parameters_at(std::string_view name) {
  if (!name.ends_with(')')) return name.npos;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0)
      return i == 0 || name.substr(0, i).ends_with("operator") ? name.npos : i;
  }
  return name.npos;
}

std::string_view without_const(std::string_view name) {
  for (std::string_view word : {" const", " noexcept", " &", " &&", " volatile"})
    if (name.ends_with(word)) return without_const(name.substr(0, name.size() - word.size()));
  return name;
}

}  // namespace

std::string without_template_arguments(std::string_view name) {
  std::string result;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    bool bracket = (name[i] == '<' || name[i] == '>') && !of_operator(name, i);
    if (bracket && name[i] == '<') ++depth;
    if (depth == 0) result += name[i];
    if (bracket && name[i] == '>') --depth;
  }
  return result;
}

bool names_scope(std::string_view wanted, std::string_view qualified) {
  std::string word = squeezed(wanted);
  return !word.empty() && (is_end_of(word, squeezed(qualified)) ||
                           is_end_of(word, squeezed(without_template_arguments(qualified))));
}

bool names_function(std::string_view wanted, std::string_view demangled) {
  std::string whole = without_anonymous(demangled);
  std::string_view own = without_const(whole);
  std::size_t own_at = parameters_at(own);
  std::string name = own_at == own.npos ? whole : function_name(demangled);
  std::string_view word = without_const(wanted);
  std::size_t at = parameters_at(word);
  if (at == word.npos) return names_scope(word, name);
  if (own_at == own.npos) return names_scope(word.substr(0, at), name);
  return squeezed(word.substr(at)) == squeezed(own.substr(own_at)) &&
         names_scope(word.substr(0, at), name);
}

bool names_variable(std::string_view wanted, std::string_view place) {
  for (std::size_t begin = 0; begin != place.npos;) {
    std::string_view rest = place.substr(begin);
    if (!wanted.empty() && rest.starts_with(wanted) &&
        (rest.size() == wanted.size() ||
         std::string_view("[.+").find(rest[wanted.size()]) != std::string_view::npos))
      return true;
    std::size_t next = place.find("::", begin);
    begin = next == place.npos ? next : next + 2;
  }
  return false;
}

Mention member_mention(std::string_view line, std::string_view member) {
  Mention found = Mention::none;
  if (member.empty()) return found;
  for (std::size_t at = 0; (at = line.find(member, at)) != line.npos; at += member.size()) {
    std::string_view before = line.substr(0, at), after = line.substr(at + member.size());
    bool whole =
        (before.empty() || !is_word(before.back())) && (after.empty() || !is_word(after.front()));
    if (!whole) continue;
    while (before.ends_with(' ')) before.remove_suffix(1);
    bool arrow = before.ends_with("->");
    if (arrow || (before.ends_with('.') && !before.ends_with(".."))) {
      before.remove_suffix(arrow ? 2 : 1);
      if (!before.ends_with("this")) return Mention::of_object;
    }
    found = Mention::bare;
  }
  return found;
}

bool is_scope_of(std::string_view record, std::string_view function) {
  std::string name = without_template_arguments(record);
  std::string scopes = without_template_arguments(function);
  for (std::size_t at = 0; (at = scopes.find(name, at)) != std::string::npos; ++at) {
    bool begins = at == 0 || scopes.compare(at - 1, 1, ":") == 0;
    if (begins && scopes.compare(at + name.size(), 2, "::") == 0) return true;
  }
  return false;
}

}  // namespace raddle::report
