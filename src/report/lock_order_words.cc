// SPDX-License-Identifier: Apache-2.0
//
// Words for cycles of locks. Engine side.
#include "report/lock_order_words.h"

#include <fmt/format.h>

#include <set>

#include "report/frames.h"

namespace raddle::report {
namespace {

using facts::Frame;
using wire::Event;

// The calls that led to the event, innermost first, as far as the run recorded them.
std::vector<Frame> stack_of(const RunContext& context, const Event& event) {
  std::vector<Frame> stack = context.names.frames(event.site);
  auto same = [&](const Event& other) {
    return other.step == event.step && other.thread == event.thread && other.kind == event.kind &&
           other.where == event.where;
  };
  for (std::size_t i = 0; context.run.stacks && i < context.run.events.size(); ++i) {
    if (!same(context.run.events[i])) continue;
    for (SiteId call : context.run.stacks->callers(i))
      for (Frame& frame : context.names.frames(call)) stack.push_back(std::move(frame));
    break;
  }
  for (Frame& frame : stack) frame.file = path_below(frame.file, context.directory);
  return stack;
}

std::string in_parentheses(const Frame& frame) {
  std::string place = place_text(frame);
  return place.empty() ? "" : fmt::format(" ({})", place);
}

}  // namespace

void describe_lock_cycle(const RunContext& context, const facts::Evidence& cycle,
                         facts::Finding& finding) {
  finding.message.clear();
  finding.threads.clear();
  std::set<std::string> sites;
  for (std::size_t i = 0; i + 1 < cycle.events.size(); i += 2) {
    const Event& taken = cycle.events[i];
    const Event& wanted = cycle.events[i + 1];
    facts::ThreadSnapshot thread;
    thread.id = taken.thread;
    thread.in_cycle = true;
    thread.stack = stack_of(context, wanted);
    std::string held = context.names.location(taken.where);
    thread.held.push_back({held, best_frame(stack_of(context, taken))});
    thread.state = fmt::format(
        "holds {}{}, wants {}{}", quoted(held), in_parentheses(thread.held.front().where),
        quoted(context.names.location(wanted.where)), in_parentheses(best_frame(thread.stack)));
    finding.message += fmt::format("{}T{} {}", i == 0 ? "" : "; ", thread.id, thread.state);
    sites.insert(fmt::format("{} to {}", site_identity(thread.held.front().where),
                             site_identity(best_frame(thread.stack))));
    finding.threads.push_back(std::move(thread));
  }
  finding.identity = fmt::format("{}", fmt::join(sites, " "));
  if (!finding.threads.empty()) finding.site = best_frame(finding.threads.front().stack);
}

}  // namespace raddle::report
