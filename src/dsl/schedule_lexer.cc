// SPDX-License-Identifier: Apache-2.0
//
// See schedule_lexer.h.
#include "dsl/schedule_lexer.h"

namespace raddle::dsl {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

}  // namespace

bool Lexer::skip_blank() {
  for (;;) {
    char c = peek();
    if (at_ < text_.size() && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == '/' && peek(1) == '*') {
      std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) return false;
      at_ = end + 2;
    } else {
      return true;
    }
  }
}

Token Lexer::take(TokenKind kind, std::size_t size) {
  Token token{kind, static_cast<std::uint32_t>(at_), {text_.data() + at_, size}};
  at_ += size;
  return token;
}

std::size_t Lexer::name_size() const {
  std::size_t size = 0;
  for (;;) {
    while (continues_name(peek(size))) ++size;
    std::size_t dots = peek(size) == '.' ? 1 : peek(size) == ':' && peek(size + 1) == ':' ? 2 : 0;
    if (dots == 0 || !begins_name(peek(size + dots))) return size;
    size += dots + 1;
  }
}

Token Lexer::next() {
  if (!skip_blank()) return take(TokenKind::open_comment, 2);
  if (at_ == text_.size()) return take(TokenKind::end, 0);
  char c = peek();
  if (begins_name(c)) return take(TokenKind::name, name_size());
  char second = peek(1);
  if (c == '-' && second == '>') return take(TokenKind::arrow, 2);
  if (c == '&' && second == '&') return take(TokenKind::both, 2);
  if (c == '|' && second == '|') return take(TokenKind::either, 2);
  switch (c) {
    case '(':
      return take(TokenKind::open, 1);
    case ')':
      return take(TokenKind::close, 1);
    case '[':
      return take(TokenKind::open_block, 1);
    case ']':
      return take(TokenKind::close_block, 1);
    case ',':
      return take(TokenKind::comma, 1);
    case '@':
      return take(TokenKind::at, 1);
    case '#':
      return take(TokenKind::hash, 1);
    default:
      break;
  }
  std::size_t size = 1;
  while (is_digit(c) && continues_name(peek(size))) ++size;
  return take(TokenKind::bad, size);
}

std::string_view Lexer::thread_name() {
  std::size_t size = 0;
  while (continues_name(peek(size)) ||
         (size > 0 && peek(size) == '-' && continues_name(peek(size + 1))))
    ++size;
  return take(TokenKind::name, size).text;
}

std::string_view Lexer::digits() {
  std::size_t size = 0;
  while (is_digit(peek(size))) ++size;
  return take(TokenKind::bad, size).text;
}

}  // namespace raddle::dsl
