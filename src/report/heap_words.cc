// SPDX-License-Identifier: Apache-2.0
//
// Words for heap errors. Engine side.
#include "report/heap_words.h"

#include <fmt/format.h>

#include "report/frames.h"

namespace raddle::report {
namespace {

using wire::Verdict;

std::string bytes(std::uint64_t count) {
  return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
}

// ", allocated by T0 at main (a.cpp:4)"; empty if it is not known.
std::string record_text(const RunContext& context, const facts::HeapRecord& record,
                        std::string_view verb) {
  if (record.thread == kNoThread) return "";
  std::vector<facts::Frame> stack = context.names.frames(record.site);
  for (SiteId call : record.callers)
    for (facts::Frame& frame : context.names.frames(call)) stack.push_back(std::move(frame));
  std::string place = frame_text(best_frame(stack));
  return fmt::format(", {} by T{}{}", verb, record.thread, place.empty() ? "" : " at " + place);
}

std::string history(const RunContext& context, std::uint32_t block, bool freed) {
  if (!context.run.stacks) return "";
  std::string text = record_text(context, context.run.stacks->allocation(block), "allocated");
  if (freed) text += record_text(context, context.run.stacks->release(block), "freed");
  return text;
}

std::string block_text(const Verdict& verdict) {
  return fmt::format("heap block #{} ({})", verdict.where.id(), bytes(verdict.block_size));
}

std::string access_text(const Verdict& verdict) {
  return fmt::format("T{} {} {}", verdict.thread, verdict.is_write != 0 ? "writes" : "reads",
                     bytes(verdict.access_size));
}

std::string overflow_text(const Verdict& verdict) {
  auto offset = static_cast<std::int32_t>(verdict.where.offset);
  if (offset < 0)
    return fmt::format("{} {} before {}", access_text(verdict), bytes(-std::int64_t{offset}),
                       block_text(verdict));
  std::int64_t past =
      std::int64_t{offset} + verdict.access_size - static_cast<std::int64_t>(verdict.block_size);
  return fmt::format("{} at offset {} of {}, up to {} past its end", access_text(verdict), offset,
                     block_text(verdict), bytes(static_cast<std::uint64_t>(past)));
}

}  // namespace

std::string heap_message(const RunContext& context, const facts::Finding& finding) {
  const Verdict& verdict = context.run.verdict;
  std::uint32_t block = verdict.where.id();
  std::string place = place_text(finding.site);
  std::string at = place.empty() ? "" : fmt::format(" ({})", place);
  if (verdict.is_stack != 0)
    return fmt::format("{} of the stack of T{}, which has ended{}", access_text(verdict), block,
                       at);
  switch (finding.kind) {
    case facts::FindingKind::use_after_free:
      return fmt::format("{} at offset {} of {}, which is freed{}{}", access_text(verdict),
                         static_cast<std::int32_t>(verdict.where.offset), block_text(verdict), at,
                         history(context, block, true));
    case facts::FindingKind::heap_overflow:
      return overflow_text(verdict) + at + history(context, block, false);
    default:
      break;
  }
  bool start = verdict.where.offset == 0 && verdict.block_size != 0;
  if (start)
    return fmt::format("T{} frees {} again{}{}", verdict.thread, block_text(verdict), at,
                       history(context, block, true));
  return fmt::format("T{} frees an address that no allocation returned{}", verdict.thread, at);
}

}  // namespace raddle::report
