// SPDX-License-Identifier: Apache-2.0
//
// Threads and stacks as text. Engine side.
#include "report/stack_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/frames.h"
#include "report/names.h"

namespace raddle::report {
namespace {

using facts::Finding;
using facts::Frame;
using facts::ThreadSnapshot;

constexpr std::size_t kFramesShownMax = 20;
constexpr std::size_t kFunctionWidth = 32;

std::string frame_line(const Frame& frame) {
  std::string place = frame.file.empty() ? fmt::format("{}+{:#x}", frame.module, frame.offset)
                                         : fmt::format("{}:{}", frame.file, frame.line);
  if (frame.function.empty()) return fmt::format("    {}\n", place);
  return fmt::format("    {:<{}} {}\n", frame.function, kFunctionWidth, place);
}

std::string library_line(std::size_t count) {
  return fmt::format("    … {} library frame{}\n", count, count == 1 ? "" : "s");
}

std::string stack_lines(const std::vector<Frame>& stack, const Paint& paint) {
  bool all = std::ranges::none_of(stack, is_user_code);
  auto is_ours = [](const Frame& frame) { return frame.module.starts_with("libraddle_rt"); };
  std::string text;
  std::size_t hidden = 0, shown = 0;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    if ((!all && !is_user_code(stack[i])) || is_ours(stack[i])) {
      ++hidden;
      continue;
    }
    if (hidden > 0) text += paint.faint(library_line(hidden));
    hidden = 0;
    if (shown++ == kFramesShownMax)
      return text + paint.faint(fmt::format("    … {} more frames\n", stack.size() - i));
    text += frame_line(stack[i]);
  }
  // What lies below main or below a thread's function is the same everywhere: not worth a line.
  return text;
}

std::string thread_text(const Finding& finding, const ThreadSnapshot& thread, const Paint& paint) {
  std::string text = paint.thread(thread.id, thread_label(finding, thread.id));
  text += ": " + thread.state + (thread.in_cycle ? " (in the cycle)" : "") + "\n";
  for (const facts::HeldLock& lock : thread.held) {
    std::string place = is_user_code(lock.where) ? place_text(lock.where) : std::string();
    text +=
        fmt::format("    holds {}{}\n", quoted(lock.what), place.empty() ? "" : " since " + place);
  }
  return text + stack_lines(thread.stack, paint);
}

}  // namespace

std::string Paint::wrap(const char* code, const std::string& text) const {
  return on_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string Paint::thread(ThreadId id, const std::string& text) const {
  static constexpr const char* kColours[] = {"36", "33", "35", "32", "34", "31"};
  return wrap(kColours[id % std::size(kColours)], text);
}

std::string thread_label(const Finding& finding, ThreadId id) {
  std::string label = fmt::format("T{}", id);
  if (id == 0) return label + " main";
  std::string inherited;
  for (const ThreadSnapshot& thread : finding.threads)
    if (thread.id == 0) inherited = thread.name;
  for (const ThreadSnapshot& thread : finding.threads)
    if (thread.id == id && !thread.name.empty() && thread.name != inherited)
      return label + " " + thread.name;
  return label;
}

std::string stacks_text(const Finding& finding, const Paint& paint) {
  // A thousand threads waiting alike would bury the one that matters.
  constexpr std::size_t kThreadsShownMax = 32;
  std::string text;
  std::size_t shown = 0, left_out = 0;
  for (const ThreadSnapshot& thread : finding.threads) {
    bool matters = thread.in_cycle || thread.id == finding.thread;
    if (!matters && shown >= kThreadsShownMax) {
      ++left_out;
      continue;
    }
    ++shown;
    text += thread_text(finding, thread, paint);
  }
  if (left_out > 0) text += paint.faint(fmt::format("… {} more threads\n", left_out));
  return text;
}

std::string verdict_text(const Finding& finding, const Paint& paint) {
  std::string kind(finding.kind.name);
  std::string text;
  if (finding.message.starts_with(kind + ":") || finding.message.starts_with("self-" + kind))
    text = paint.alarm(finding.message) + "\n";
  else
    text = paint.alarm(kind + ": " + finding.message) + "\n";
  // The messages of deadlocks and livelocks name threads and places of their own.
  bool several =
      finding.kind == facts::FindingKind::deadlock || finding.kind == facts::FindingKind::livelock;
  std::string place = frame_text(finding.site);
  if (!place.empty() && !several)
    text += fmt::format("  by {}, in {}\n", thread_label(finding, finding.thread), place);
  text += fmt::format("  after {} step{} with {} preemption{}", finding.steps,
                      finding.steps == 1 ? "" : "s", finding.preemptions,
                      finding.preemptions == 1 ? "" : "s");
  if (finding.schedule_index > 0) text += fmt::format(", in schedule {}", finding.schedule_index);
  return text + "\n";
}

}  // namespace raddle::report
