// SPDX-License-Identifier: Apache-2.0
//
// Text of bounded length, for messages of code that cannot allocate. Both sides; pure. What does
// not fit is cut; the text is always ended by a zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace raddle::dsl {

class TextBuffer {
 public:
  // Requires: size > 0. The memory must outlive the buffer.
  TextBuffer(char* memory, std::size_t size) : memory_(memory), size_(size) { memory_[0] = 0; }

  TextBuffer& operator<<(std::string_view text) {
    for (char c : text) {
      if (used_ + 1 >= size_) break;
      memory_[used_++] = c;
    }
    memory_[used_] = 0;
    return *this;
  }
  TextBuffer& operator<<(const char* text) { return *this << std::string_view(text); }
  TextBuffer& operator<<(std::uint32_t number) {
    char digits[10];
    unsigned first = sizeof digits;
    do {
      digits[--first] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    return *this << std::string_view(digits + first, sizeof digits - first);
  }

  std::string_view text() const { return {memory_, used_}; }
  bool full() const { return used_ + 1 >= size_; }

 private:
  char* memory_;
  std::size_t size_;
  std::size_t used_ = 0;
};

}  // namespace raddle::dsl
