// SPDX-License-Identifier: Apache-2.0
//
// See property_words.h. Engine side; pure.
#include "cli/property_words.h"

#include <fmt/core.h>

#include "analysis/access_criteria.h"
#include "report/idiom_words.h"

namespace raddle::cli {
namespace {

// "T1 read (bank.cpp:11, the 2nd)".
std::string access_text(const KeptAccess& access) {
  std::string often;
  if (access.nth == 2) often = ", the 2nd time";
  if (access.nth == 3) often = ", the 3rd time";
  if (access.nth == analysis::kNthMax) often = fmt::format(", the {}th time or later", access.nth);
  std::string thread = access.thread.empty() ? "" : access.thread + " ";
  return fmt::format("{}{} ({}{})", thread, access.kind, access.place, often);
}

std::string sentence(const UncoveredProperty& uncovered) {
  const std::string& criterion = uncovered.property.criterion;
  const std::vector<KeptAccess>& parts = uncovered.accesses;
  bool elsewhere = uncovered.property.form == analysis::kDefinedElsewhere;
  if (criterion == "pinv" && parts.size() == 3)
    return fmt::format("{} between {} and {}", access_text(parts[1]), access_text(parts[0]),
                       access_text(parts[2]));
  if (criterion == "def-use" && parts.size() == 2)
    return fmt::format("{} gets what {} left", access_text(parts[1]), access_text(parts[0]));
  if (criterion == "def-use" && parts.size() == 1)
    return fmt::format("{} gets its own thread's value, or the initial one", access_text(parts[0]));
  if (criterion == "lr-inv" && parts.size() == 2)
    return fmt::format("others come unserializably between {} and {}", access_text(parts[0]),
                       access_text(parts[1]));
  if (criterion == "lr-def" && parts.size() == 1)
    return fmt::format(
        "{} gets {}", access_text(parts[0]),
        elsewhere ? "another thread's value" : "its own thread's value, or the initial one");
  std::string text;
  for (const KeptAccess& access : parts)
    text += (text.empty() ? "" : ", then ") + access_text(access);
  return text.empty() ? "an order of accesses" : text;
}

// Of idioms, the accesses to two variables come in pairs.
std::string idiom_sentence(const UncoveredProperty& uncovered) {
  std::string first = uncovered.property.variable, second;
  if (std::size_t end = first.find('\n'); end != std::string::npos) {
    second = first.substr(end + 1);
    first.resize(end);
  }
  std::vector<report::IdiomAccess> accesses;
  for (const KeptAccess& access : uncovered.accesses) {
    bool late = accesses.size() >= 2 && !second.empty();
    accesses.push_back({access.kind, access.place, late ? second : first});
  }
  auto idiom = static_cast<unsigned>(uncovered.property.criterion.back() - '0');
  return report::idiom_words(idiom, accesses);
}

bool is_idiom(const std::string& criterion) {
  return criterion.size() == 6 && criterion.starts_with("idiom") && criterion[5] >= '1' &&
         criterion[5] <= '6';
}

}  // namespace

std::string variables_text(const memo::PropertyRecord& property) {
  std::string text;
  for (char c : property.variable) text += c == '\n' ? std::string(", ") : std::string(1, c);
  return text;
}

std::string property_text(const UncoveredProperty& uncovered) {
  bool idiom = is_idiom(uncovered.property.criterion);
  std::string text = idiom ? idiom_sentence(uncovered) : sentence(uncovered);
  if (!idiom && !uncovered.property.variable.empty())
    text += fmt::format(", of {}", variables_text(uncovered.property));
  if (uncovered.attempts > 0)
    text += fmt::format(" [{} of {} attempts failed]", uncovered.failures, uncovered.attempts);
  return text;
}

}  // namespace raddle::cli
