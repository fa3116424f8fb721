// SPDX-License-Identifier: Apache-2.0
//
// Words for heap errors. Engine side.
#include "report/heap_words.h"

#include <fmt/format.h>

#include "report/frames.h"

namespace raddle::report {
namespace {

using wire::OpKind;
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

// What is done to a synchronisation object.
std::string_view object_deed(OpKind kind) {
  switch (kind) {
    case OpKind::mutex_lock:
    case OpKind::mutex_try_lock:
    case OpKind::mutex_timed_lock:
    case OpKind::cond_wake:
      return "locks a mutex";
    case OpKind::mutex_unlock:
      return "unlocks a mutex";
    case OpKind::rwlock_read:
    case OpKind::rwlock_try_read:
    case OpKind::rwlock_timed_read:
    case OpKind::rwlock_write:
    case OpKind::rwlock_try_write:
    case OpKind::rwlock_timed_write:
      return "locks a read-write lock";
    case OpKind::rwlock_unlock:
      return "unlocks a read-write lock";
    case OpKind::cond_wait:
      return "waits on a condition variable";
    case OpKind::cond_signal:
    case OpKind::cond_broadcast:
      return "notifies a condition variable";
    case OpKind::sem_post:
      return "posts a semaphore";
    case OpKind::object_destroy:
      return "destroys a synchronisation object";
    default:
      return "uses a synchronisation object";
  }
}

std::string access_text(const RunContext& context) {
  const Verdict& verdict = context.run.verdict;
  if (verdict.access_size == 0)
    for (const wire::ThreadReport& thread : context.run.threads)
      if (thread.id == verdict.thread)
        return fmt::format("T{} {}", verdict.thread, object_deed(thread.op));
  return fmt::format("T{} {} {}", verdict.thread, verdict.is_write != 0 ? "writes" : "reads",
                     bytes(verdict.access_size));
}

std::string overflow_text(const RunContext& context) {
  const Verdict& verdict = context.run.verdict;
  auto offset = static_cast<std::int32_t>(verdict.where.offset);
  if (offset < 0)
    return fmt::format("{} {} before {}", access_text(context), bytes(-std::int64_t{offset}),
                       block_text(verdict));
  std::int64_t past =
      std::int64_t{offset} + verdict.access_size - static_cast<std::int64_t>(verdict.block_size);
  return fmt::format("{} at offset {} of {}, up to {} past its end", access_text(context), offset,
                     block_text(verdict), bytes(static_cast<std::uint64_t>(past)));
}

}  // namespace

std::string heap_message(const RunContext& context, const facts::Finding& finding) {
  const Verdict& verdict = context.run.verdict;
  std::uint32_t block = verdict.where.id();
  std::string place = place_text(finding.site);
  std::string at = place.empty() ? "" : fmt::format(" ({})", place);
  if (verdict.is_stack != 0)
    return fmt::format("{}{} the stack of T{}, which has ended{}", access_text(context),
                       verdict.access_size == 0 ? " on" : " of", block, at);
  if (finding.kind == facts::FindingKind::use_after_free)
    return fmt::format("{} at offset {} of {}, which is freed{}{}", access_text(context),
                       static_cast<std::int32_t>(verdict.where.offset), block_text(verdict), at,
                       history(context, block, true));
  if (finding.kind == facts::FindingKind::heap_overflow)
    return overflow_text(context) + at + history(context, block, false);
  bool start = verdict.where.offset == 0 && verdict.block_size != 0;
  if (start)
    return fmt::format("T{} frees {} again{}{}", verdict.thread, block_text(verdict), at,
                       history(context, block, true));
  return fmt::format("T{} frees an address that no allocation returned{}", verdict.thread, at);
}

}  // namespace raddle::report
