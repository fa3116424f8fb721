// SPDX-License-Identifier: Apache-2.0
//
// The words that lines of a schedule file are made of: quoting, splitting, numbers. Engine side.
// quote_word() and split_words() are inverse to each other for every byte string.
#pragma once

#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/schedule.h"

namespace raddle::facts {

inline constexpr unsigned kScheduleVersion = 1;

// The word as it is, or in double quotes if it would not be read back as one word.
std::string quote_word(std::string_view word);

// The words of a line, without its comment. The error's message says what is wrong, without a
// place.
Result<std::vector<std::string>> split_words(std::string_view line);

// A whole decimal or 0x... number that fits, or nothing.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") && text.size() > 2 && text[2] != '-') {
    base = 16;
    text.remove_prefix(2);
  }
  Number number{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

// Words for the enumerations of a plan, in the order of their values.
inline constexpr std::string_view kPointsWords[] = {"sync", "shared", "all"};
inline constexpr std::string_view kTimersWords[] = {"idle", "any"};
inline constexpr std::string_view kIdleWords[] = {"wait", "stop"};
inline constexpr std::string_view kExitWords[] = {"sudden", "point"};

// Like print_schedule(), with a comment (a source place) beside every site; "" for none.
using SiteComment = std::function<std::string(const SitePlace&)>;
std::string print_schedule(const Schedule& schedule, const SiteComment& comment);

}  // namespace raddle::facts
