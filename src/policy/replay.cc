// SPDX-License-Identifier: Apache-2.0
//
// See replay.h.
#include "policy/replay.h"

namespace raddle::policy {

using wire::ChoiceRecord;
using wire::OpKind;

void ReplayPolicy::begin(const PlanView& view) {
  recorded_ = view.steering.rows<wire::SteeringKind::recorded>();
  next_ = 0;
  diverged_at_ = kNotDiverged;
  reason_ = nullptr;
}

ThreadId ReplayPolicy::pick(const Choice& choice) {
  const ChoiceRecord* record = expect(choice.step);
  if (record == nullptr) return kNoThread;
  if (record->kind == OpKind::value) {
    diverge("the schedule has a value here, the run has to choose a thread");
  } else if (!choice.enabled.contains(record->picked)) {
    diverge("the recorded thread cannot run");
  } else if (record->kind != OpKind::none &&
             record->kind != choice.threads[record->picked].op.kind) {
    diverge("the recorded thread is about to carry out another operation");
  } else {
    ++next_;
    return record->picked;
  }
  return kNoThread;
}

std::uint32_t ReplayPolicy::value(std::uint32_t bound, StepIndex step) {
  const ChoiceRecord* record = expect(step);
  if (record == nullptr) return bound;
  if (record->kind != OpKind::value && record->kind != OpKind::none) {
    diverge("the schedule has a thread here, the run has to choose a value");
  } else if (record->picked >= bound) {
    diverge("the recorded value is out of bounds");
  } else {
    ++next_;
    return record->picked;
  }
  return bound;
}

// The next recorded choice if it is one of this step, else nullptr.
const ChoiceRecord* ReplayPolicy::expect(StepIndex step) {
  if (reason_ != nullptr) return nullptr;
  if (next_ == recorded_.size()) {
    diverge("the run has more choices than the schedule");
    return nullptr;
  }
  const ChoiceRecord* record = &recorded_[next_];
  if (record->step != kAnyStep && record->step != step) {
    diverge(record->step < step ? "the recorded choice was at an earlier step"
                                : "the recorded choice was at a later step");
    return nullptr;
  }
  return record;
}

void ReplayPolicy::diverge(const char* reason) {
  diverged_at_ = next_;
  reason_ = reason;
}

}  // namespace raddle::policy
