// SPDX-License-Identifier: Apache-2.0
//
// See fairness.h.
#include "policy/fairness.h"

#include "base/check.h"

namespace raddle::policy {

void FairnessFilter::narrow(const Choice& choice, ThreadSet& allowed) {
  bool yielding = false;
  StepIndex oldest = ~StepIndex{0};
  allowed.for_each([&](ThreadId id) {
    const model::ThreadView& t = choice.threads[id];
    StepIndex moved = t.last_run > t.enabled_since ? t.last_run : t.enabled_since;
    if (moved < oldest) oldest = moved;
    yielding |= t.yielding;
  });
  if (__builtin_expect(!yielding, 1)) return;
  // for_each works on copies of the words, so members may go while it runs.
  allowed.for_each([&](ThreadId id) {
    const model::ThreadView& t = choice.threads[id];
    if (t.yielding && oldest < t.yielded_at) allowed.remove(id);
  });
  RADDLE_CHECK(!allowed.empty());
}

}  // namespace raddle::policy
