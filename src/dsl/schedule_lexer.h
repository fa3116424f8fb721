// SPDX-License-Identifier: Apache-2.0
//
// The words of a schedule. Both sides; pure: no state but a position in the text, so that a text of
// n characters takes at most n + 1 tokens.
#pragma once

#include <cstdint>
#include <string_view>

namespace raddle::dsl {

enum class TokenKind : std::uint8_t {
  name,         // of an event, qualified or not: a, a.b, a::b
  arrow,        // ->
  both,         // &&
  either,       // ||
  open,         // (
  close,        // )
  open_block,   // [
  close_block,  // ]
  comma,
  at,            // @
  hash,          // #
  end,           // of the text
  bad,           // no word of the language; `text` is what is wrong
  open_comment,  // a comment that is not closed
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::uint32_t at = 0;
  std::string_view text;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();
  // After "@": the name of a thread, which may begin with a digit and have "-" within. After "#":
  // digits. Both directly, without space. Empty if there is none here.
  std::string_view thread_name();
  std::string_view digits();

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool skip_blank();  // false: at the beginning of a comment that is not closed
  Token take(TokenKind kind, std::size_t size);
  std::size_t name_size() const;

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace raddle::dsl
