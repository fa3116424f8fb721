// SPDX-License-Identifier: Apache-2.0
//
// See known_invariants.h. Engine side.
#include "outcome/known_invariants.h"

#include <fmt/core.h>

#include <algorithm>

#include "outcome/memo_place.h"

namespace raddle::outcome {
namespace {

using analysis::Granularity;

constexpr std::pair<Granularity, const char*> kGranularities[] = {
    {Granularity::byte, "byte"}, {Granularity::word, "word"}, {Granularity::line, "line"}};

}  // namespace

const char* granularity_name(Granularity granularity) {
  for (const auto& [each, name] : kGranularities)
    if (each == granularity) return name;
  return "word";
}

Result<Granularity> parse_granularity(const std::string& option, const std::string& text) {
  for (const auto& [each, name] : kGranularities)
    if (text == name) return each;
  return Error{fmt::format("{}: expected byte, word or line, not `{}`", option, text), kExitUsage};
}

KnownInvariants::KnownInvariants(const memo::Invariants& learned, Modules modules,
                                 report::Symbolizer& symbolizer)
    : modules_(std::move(modules)), symbolizer_(symbolizer) {
  for (const auto& [each, name] : kGranularities)
    if (learned.granularity == name) granularity_ = each;
  for (const memo::Invariant& place : learned.places)
    if (place.holds) sites_.insert(place.site);
}

bool KnownInvariants::holds(SiteId site) {
  auto [answer, fresh] = answers_.try_emplace(site, false);
  if (!fresh) return answer->second;
  facts::ModuleTable table = facts::ModuleTable::from_wire(modules_());
  if (const facts::Module* module = table.find(site)) {
    memo::PlaceRecord place = memo_place({}, *module, site - module->site_base, symbolizer_);
    answer->second = sites_.contains(place.site);
  }
  return answer->second;
}

void KnownInvariants::tell(detect::Settings& settings) {
  if (empty()) return;
  settings.granularity = granularity_;
  settings.invariant = [this](SiteId site) { return holds(site); };
}

std::size_t KnownInvariants::met() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(answers_, [](const auto& answer) { return answer.second; }));
}

}  // namespace raddle::outcome
