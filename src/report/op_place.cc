// SPDX-License-Identifier: Apache-2.0
//
// From an operation to the user's line. Engine side; pure.
#include "report/op_place.h"

#include "report/frames.h"

namespace raddle::report {

facts::Frame op_frame(const facts::Run& run, const OpKey& op, Names& names) {
  std::vector<facts::Frame> own = names.frames(op.site);
  if (user_frame(own) != nullptr || !run.stacks) return best_frame(own);
  for (std::size_t i = run.events.size(); i-- > 0;) {
    const wire::Event& event = run.events[i];
    if (event.thread != op.thread || event.site != op.site || event.where != op.where) continue;
    for (SiteId call : run.stacks->callers(i)) {
      std::vector<facts::Frame> frames = names.frames(call);
      if (const facts::Frame* frame = user_frame(frames)) return *frame;
    }
    break;
  }
  return best_frame(own);
}

}  // namespace raddle::report
