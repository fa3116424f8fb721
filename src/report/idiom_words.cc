// SPDX-License-Identifier: Apache-2.0
//
// See idiom_words.h. Engine side; pure.
#include "report/idiom_words.h"

#include <fmt/format.h>

#include "report/frames.h"

namespace raddle::report {
namespace {

// What stands in front of an access.
std::string_view link(unsigned idiom, std::size_t index) {
  if (index == 0) return "";
  if (idiom == 2 || index % 2 == 1) return " => ";
  return idiom == 5 || idiom == 6 ? ", " : " .. ";
}

std::string_view remark(unsigned idiom) {
  return idiom == 5 ? " (crossing)" : idiom == 6 ? " (same way)" : "";
}

}  // namespace

IdiomAccess idiom_access(SiteId site, wire::OpKind kind, wire::Location where, Names& names) {
  std::string variable = where == wire::Location{} ? "" : names.location(where);
  return {wire::op_word(kind), place_text(best_frame(names.frames(site))), variable};
}

std::string idiom_words(unsigned idiom, std::span<const IdiomAccess> accesses) {
  std::string text = fmt::format("idiom {}: ", idiom);
  std::string last;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const IdiomAccess& access = accesses[i];
    text += link(idiom, i);
    text += access.operation;
    if (!access.variable.empty() && access.variable != last)
      text += " of " + quoted(access.variable);
    if (!access.variable.empty()) last = access.variable;
    text += access.place.empty() ? " at an unknown place" : " at " + access.place;
  }
  return text.append(remark(idiom));
}

}  // namespace raddle::report
