// SPDX-License-Identifier: Apache-2.0
//
// Reading, splitting and expanding response files; see response_file.h.
#include "cc/response_file.h"

#include <sys/stat.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace raddle::cc {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

std::optional<std::string> read_regular_file(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || S_ISDIR(info.st_mode)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Status expand_into(const std::string& word, int depth, std::vector<std::string>& words) {
  std::optional<std::string> text;
  if (word.size() > 1 && word[0] == '@') text = read_regular_file(word.substr(1));
  if (!text) {
    words.push_back(word);
    return Done{};
  }
  if (depth >= kResponseDepthMax) {
    return Error{word + ": response files nest deeper than " + std::to_string(kResponseDepthMax) +
                 " levels; does one include itself?"};
  }
  for (const std::string& inner : split_words(*text)) {
    if (Status status = expand_into(inner, depth + 1, words); !status) return status;
  }
  return Done{};
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;  // so that '' is a word, the empty one
    } else if (is_space(c)) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (word.empty()) text += "''";
    for (const char c : word) {
      if (is_space(c) || c == '\\' || c == '\'' || c == '"') text += '\\';
      text += c;
    }
    text += '\n';
  }
  return text;
}

Result<std::vector<Argument>> expand_response_files(const std::vector<std::string>& args) {
  std::vector<Argument> expanded;
  for (const std::string& arg : args) {
    Argument argument{arg, {}};
    if (Status status = expand_into(arg, 0, argument.words); !status) return status.error();
    expanded.push_back(std::move(argument));
  }
  return expanded;
}

}  // namespace raddle::cc
