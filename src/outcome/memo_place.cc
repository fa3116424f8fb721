// SPDX-License-Identifier: Apache-2.0
//
// See memo_place.h. Engine side.
#include "outcome/memo_place.h"

#include <fmt/core.h>

#include "report/frames.h"

namespace raddle::outcome {

memo::PlaceRecord memo_place(const memo::ProgramRecord& program, const facts::Module& module,
                             std::uint64_t offset, report::Symbolizer& symbolizer) {
  memo::PlaceRecord found;
  found.program = program;
  found.module = facts::base_name(module.path);
  found.offset = offset;
  // A site is a return address: the call in front of it is meant.
  std::uint64_t call = offset == 0 ? 0 : offset - 1;
  const std::vector<facts::Frame>& frames = symbolizer.frames(module.path, call);
  facts::Frame shown = report::best_frame(frames);
  found.file = shown.file;
  found.line = shown.line;
  std::string symbol = symbolizer.symbol_place(module.path, call);
  if (symbol.empty())
    found.site = fmt::format("{}+{:#x}", found.module, call);
  else
    found.site =
        fmt::format("{}:{}:{}", found.module, facts::base_name(frames.back().file), symbol);
  return found;
}

}  // namespace raddle::outcome
