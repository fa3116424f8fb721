// SPDX-License-Identifier: Apache-2.0
//
// See prefix.h.
#include "policy/prefix.h"

namespace raddle::policy {

using wire::ChoiceRecord;
using wire::OpKind;

void PrefixPolicy::begin(const PlanView& view) {
  prefix_ = view.steering.rows<wire::SteeringKind::choices>();
  next_ = 0;
  dropped_ = false;
  rest_.begin(view);
}

ThreadId PrefixPolicy::pick(const Choice& choice) {
  if (active()) {
    const ChoiceRecord& record = prefix_[next_];
    if (record.kind != OpKind::value && choice.enabled.contains(record.picked)) {
      ++next_;
      if (rest_.counts_steps()) rest_.took(choice, record.picked);
      return record.picked;
    }
    dropped_ = true;
  }
  return rest_.pick(choice);
}

std::uint32_t PrefixPolicy::value(std::uint32_t bound, StepIndex step) {
  if (active()) {
    const ChoiceRecord& record = prefix_[next_];
    if ((record.kind == OpKind::value || record.kind == OpKind::none) && record.picked < bound) {
      ++next_;
      return record.picked;
    }
    dropped_ = true;
  }
  return rest_.value(bound, step);
}

}  // namespace raddle::policy
