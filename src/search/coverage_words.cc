// SPDX-License-Identifier: Apache-2.0
//
// See coverage_words.h.
#include "search/coverage_words.h"

#include <fmt/core.h>

namespace raddle::search {

using wire::VerdictKind;

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string plural(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

bool ended_by_itself(const facts::Run& run) {
  VerdictKind kind = run.verdict.kind;
  return kind != VerdictKind::limit && kind != VerdictKind::hang && !run.timed_out &&
         !run.end_forced;
}

std::string point_words(const Learned& learned, bool racing) {
  switch (learned.options().points) {
    case wire::Points::sync:
      return "of synchronisation and atomics";
    case wire::Points::all:
      return "of synchronisation, atomics and all plain accesses";
    case wire::Points::shared:
      break;
  }
  std::size_t sites = learned.sites().size();
  if (racing && sites == 0) return "of synchronisation and atomics (no other accesses race)";
  if (racing)
    return fmt::format("of synchronisation, atomics and the racing accesses at {}",
                       plural(sites, "site"));
  if (sites == 0) return "of synchronisation and atomics (no other access to shared data was seen)";
  return fmt::format("of synchronisation, atomics and the shared accesses at {}",
                     plural(sites, "site"));
}

std::string reservation_words(const RunCounts& counts, std::uint64_t restarts) {
  std::string text;
  if (counts.cut > 0)
    text += fmt::format(
        "; {} of them up to a limit only (--max-steps, --run-timeout, threads that did not end "
        "when the process did)",
        grouped(counts.cut));
  if (counts.unfair > 0)
    text += "; left out are those in which a thread that spins, sleeps or yields does not give way";
  if (counts.diverged > 0)
    text += fmt::format(
        "; {} left the path to be followed and did not count: the program depends on something "
        "that raddle does not control, so some may be missing",
        plural(counts.diverged, "run"));
  if (counts.unseen > 0)
    text += fmt::format(
        "; {} ended in a failure, and what other threads would have done after it is not known",
        plural(counts.unseen, "run"));
  if (counts.forgetful > 0)
    text += fmt::format(
        "; {} had more accesses that may race than raddle remembers, so some may be missing",
        plural(counts.forgetful, "run"));
  if (restarts > 0)
    text += fmt::format("; begun anew {} as further sites were seen", plural(restarts, "time"));
  return text;
}

}  // namespace raddle::search
