// SPDX-License-Identifier: Apache-2.0
//
// mdpor: first what partial-order reduction asks for without doubt, then what it adds to be on the
// safe side, then the rest. Gambit, section 4.1; the paper's doubtful ones are those of Figure 4,
// lines 35 to 37, and those before a release; here those are doubtful whose step may have to wait
// at that place, or that only make way for it (search/reversals.h). Engine side.
#include "search/priority_list.h"

namespace raddle::search {

std::uint64_t priority_mdpor(const Alternative& alternative) {
  if (alternative.is_value) return 0;
  if (!alternative.by_dpor) return 2;
  return alternative.conservative ? 1 : 0;
}

}  // namespace raddle::search
