// SPDX-License-Identifier: Apache-2.0
//
// Numbers, durations and names from text. Engine side; pure.
#include "search/values.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "facts/failing.h"
#include "launch/did_you_mean.h"

namespace raddle::search {
namespace {

Error bad_value(const std::string& option, const std::string& text, const std::string& expected) {
  return {fmt::format("{}: `{}` is not {}", option, text, expected), kExitUsage};
}

// The index of the name, or an error that lists what there is.
Result<std::size_t> one_of(const std::string& option, const std::string& text,
                           const std::vector<std::string>& names) {
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return i;
    all += (i == 0 ? "" : ", ") + names[i];
  }
  return bad_value(option, text,
                   fmt::format("one of {}{}", all, launch::did_you_mean(text, names)));
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(const std::string& option,
                                                 const std::string& text) {
  const char* expected = "a duration such as 500ms, 30s, 2m or 1h";
  double amount = 0;
  const char* end = text.data() + text.size();
  auto [rest, code] = std::from_chars(text.data(), end, amount, std::chars_format::fixed);
  if (code != std::errc() || !std::isfinite(amount) || amount < 0)
    return bad_value(option, text, expected);
  std::string unit(rest, end);
  double factor = 0;
  if (unit == "ms") factor = 1;
  if (unit == "s" || unit.empty()) factor = 1000;
  if (unit == "m" || unit == "min") factor = 60'000;
  if (unit == "h") factor = 3'600'000;
  double result = std::round(amount * factor);
  // Ten years: far beyond use, far below overflow.
  if (factor == 0 || result < 1 || result > 3.2e11) return bad_value(option, text, expected);
  return std::chrono::milliseconds(static_cast<std::int64_t>(result));
}

Result<std::uint64_t> parse_number(const std::string& option, const std::string& text,
                                   std::uint64_t min, std::uint64_t max) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  auto [rest, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc() || rest != end || value < min || value > max)
    return bad_value(option, text, fmt::format("a whole number from {} to {}", min, max));
  return value;
}

Result<std::uint64_t> parse_size(const std::string& option, const std::string& text) {
  constexpr std::string_view kUnits = "KMGT";
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
  std::uint64_t amount = 0;
  const char* end = text.data() + text.size();
  auto [rest, code] = std::from_chars(text.data(), end, amount);
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  std::size_t power = 0;
  if (unit.size() == 1 && kUnits.find(unit[0]) != unit.npos) power = kUnits.find(unit[0]) + 1;
  bool known = unit.empty() || power > 0;
  if (code != std::errc() || !known || amount == 0 || amount > (kMost >> (10 * power)))
    return bad_value(option, text, "a size such as 64K, 512M or 2G");
  return amount << (10 * power);
}

Result<wire::Points> parse_points(const std::string& text, const char* option) {
  auto index = one_of(option, text, {"sync", "shared", "all"});
  if (!index) return index.error();
  constexpr wire::Points kValues[] = {wire::Points::sync, wire::Points::shared, wire::Points::all};
  return kValues[*index];
}

Result<wire::Timers> parse_timers(const std::string& text, const char* option) {
  auto index = one_of(option, text, {"idle", "any"});
  if (!index) return index.error();
  return *index == 0 ? wire::Timers::idle : wire::Timers::any;
}

Result<bool> parse_races(const std::string& text, bool& fail, const char* option) {
  auto index = one_of(option, text, {"off", "report", "fail"});
  if (!index) return index.error();
  fail = *index == 2;
  return *index != 0;
}

Result<bool> parse_library_races(const std::string& text, const char* option) {
  auto index = one_of(option, text, {"off", "report"});
  if (!index) return index.error();
  return *index == 1;
}

Result<std::vector<facts::FindingKind>> parse_fail_on(const std::string& text, const char* option) {
  std::vector<facts::FindingKind> kinds;
  if (text == "none") return kinds;
  for (std::size_t begin = 0; begin <= text.size();) {
    std::size_t end = std::min(text.find(',', begin), text.size());
    auto kind = facts::finding_kind(std::string_view(text).substr(begin, end - begin));
    if (!kind || !kind->is_warning()) {
      std::string known;
      for (const facts::FindingKind& each : facts::finding_kinds())
        if (each.is_warning()) known += fmt::format("{}, ", each.name);
      return bad_value(option, text,
                       fmt::format("warnings among {}separated by commas, or none", known));
    }
    kinds.push_back(*kind);
    begin = end + 1;
  }
  return kinds;
}

Result<bool> parse_atomicity(const std::string& text, std::vector<facts::FindingKind>& fail_on,
                             const char* option) {
  auto index = one_of(option, text, {"off", "warn", "fail"});
  if (!index) return index.error();
  if (*index == 2) fail_on.push_back(facts::FindingKind::atomicity_violation);
  return *index != 0;
}

}  // namespace raddle::search
