// SPDX-License-Identifier: Apache-2.0
//
// Quoting and splitting of words. Engine side.
#include "facts/schedule_text.h"

#include <fmt/format.h>

namespace raddle::facts {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Bytes from 0x80 on stay: file names in UTF-8 are to be read by people.
bool is_plain(char c) {
  return static_cast<unsigned char>(c) > ' ' && c != '"' && c != '\\' && c != '#' && c != 0x7f;
}

void append_escaped(std::string& out, char c) {
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\t') {
    out += "\\t";
  } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  } else {
    out += c;
  }
}

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// Reads one escape, `at` standing on the backslash. False if it is not one of ours.
bool read_escape(std::string_view line, std::size_t& at, std::string& word) {
  if (at + 1 >= line.size()) return false;
  char c = line[at + 1];
  if (c == 'x') {
    if (at + 3 >= line.size()) return false;
    auto high = hex_digit(line[at + 2]);
    auto low = hex_digit(line[at + 3]);
    if (!high || !low) return false;
    word += static_cast<char>(*high * 16 + *low);
    at += 4;
    return true;
  }
  if (c != '"' && c != '\\' && c != 'n' && c != 't') return false;
  word += c == 'n' ? '\n' : c == 't' ? '\t' : c;
  at += 2;
  return true;
}

// Reads a quoted word, `at` standing on the opening quote.
Result<std::string> read_quoted(std::string_view line, std::size_t& at) {
  std::string word;
  ++at;
  while (at < line.size() && line[at] != '"') {
    if (line[at] == '\\') {
      if (!read_escape(line, at, word))
        return Error{"expected one of the escapes \\\" \\\\ \\n \\t \\xHH, found \\" +
                     std::string(line.substr(at + 1, 1))};
    } else {
      word += line[at++];
    }
  }
  if (at == line.size()) return Error{"expected a closing \", found the end of the line"};
  ++at;
  if (at < line.size() && !is_blank(line[at]) && line[at] != '#')
    return Error{"expected a blank after the closing \", found `" +
                 std::string(line.substr(at, 1)) + "`"};
  return word;
}

}  // namespace

std::string quote_word(std::string_view word) {
  bool plain = !word.empty();
  for (char c : word) plain = plain && is_plain(c);
  if (plain) return std::string(word);
  std::string out = "\"";
  for (char c : word) append_escaped(out, c);
  return out + '"';
}

Result<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size() || line[at] == '#') return words;
    if (line[at] == '"') {
      Result<std::string> word = read_quoted(line, at);
      if (!word) return word.error();
      words.push_back(std::move(*word));
      continue;
    }
    std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) {
      if (line[at] == '"' || line[at] == '\\' || line[at] == '#')
        return Error{"expected a word that is wholly in double quotes, found `" +
                     std::string(line.substr(begin)) + "`"};
      ++at;
    }
    words.emplace_back(line.substr(begin, at - begin));
  }
}

}  // namespace raddle::facts
