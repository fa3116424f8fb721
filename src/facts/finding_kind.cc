// SPDX-License-Identifier: Apache-2.0
//
// Finding kinds by name. Engine side.
#include "facts/finding_kind.h"

namespace raddle::facts {

std::vector<FindingKind> finding_kinds() {
  std::vector<FindingKind> kinds = {FindingKind::assertion,
                                    FindingKind::crash,
                                    FindingKind::stack_overflow,
                                    FindingKind::exception,
                                    FindingKind::exit_code,
                                    FindingKind::deadlock,
                                    FindingKind::hang,
                                    FindingKind::sync_misuse,
                                    FindingKind::leaked_thread,
                                    FindingKind::use_after_free,
                                    FindingKind::double_free,
                                    FindingKind::heap_overflow,
                                    FindingKind::check,
                                    FindingKind::schedule_violation,
                                    FindingKind::schedule_deadlock};
  for (const FindingKind& kind : detector_kinds()) kinds.push_back(kind);
  return kinds;
}

std::optional<FindingKind> finding_kind(std::string_view name) {
  for (const FindingKind& kind : finding_kinds())
    if (kind.name == name) return kind;
  return std::nullopt;
}

}  // namespace raddle::facts
