// SPDX-License-Identifier: Apache-2.0
//
// Words for accesses below different locks. Engine side.
#include "report/lockset_words.h"

#include <fmt/format.h>

#include <set>

#include "report/frames.h"

namespace raddle::report {
namespace {

using facts::Frame;
using wire::Event;
using wire::OpKind;

// The calls that led to an access, innermost first, as far as the run recorded them.
std::vector<Frame> stack_of(const RunContext& context, const Event& event) {
  std::vector<Frame> stack = context.names.frames(event.site);
  auto same = [&](const Event& other) {
    return other.step == event.step && other.thread == event.thread && other.kind == event.kind &&
           other.where == event.where && other.site == event.site;
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

// " holding `a`, `b` (for reading)".
std::string holding(const RunContext& context, std::span<const Event> locks) {
  std::vector<std::string> names;
  for (const Event& lock : locks)
    names.push_back(quoted(context.names.location(lock.where)) +
                    (lock.order != 0 ? " (for reading)" : ""));
  return names.empty() ? "holding no lock" : fmt::format("holding {}", fmt::join(names, ", "));
}

}  // namespace

void describe_lockset(const RunContext& context, const facts::Evidence& evidence,
                      facts::Finding& finding) {
  std::span<const Event> events = evidence.events;
  finding.variable = context.names.location(events.front().where);
  finding.threads.clear();
  std::string clauses;
  std::set<std::string> told;
  for (std::size_t i = 0; i < events.size();) {
    std::size_t end = i + 1;
    while (end < events.size() && events[end].kind == OpKind::held) ++end;
    const Event& access = events[i];
    bool write = access.kind == OpKind::plain_write;
    bool known = (access.flags & wire::kEventRemembered) == 0;
    facts::ThreadSnapshot thread;
    thread.id = access.thread;
    thread.stack = stack_of(context, access);
    for (const Event& lock : events.subspan(i + 1, end - i - 1))
      thread.held.push_back({context.names.location(lock.where), {}});
    std::string locks =
        known ? " " + holding(context, events.subspan(i + 1, end - i - 1)) : " some time before";
    std::string place = place_text(best_frame(thread.stack));
    std::string verb = i == 0 ? (write ? "writes" : "reads") : (write ? "wrote" : "read");
    std::string clause =
        fmt::format("T{} {} it{}{}{}", thread.id, verb, place.empty() ? "" : " at ", place, locks);
    thread.state = fmt::format("{} {}{}", verb, quoted(finding.variable), locks);
    // What was done several times in the same way is said once.
    if (told.insert(clause).second) {
      clauses += (i == 0 ? "" : ", ") + clause;
      finding.threads.push_back(std::move(thread));
    }
    i = end;
  }
  finding.message =
      fmt::format("no lock protects {} at every access: {}", quoted(finding.variable), clauses);
  finding.site = best_frame(finding.threads.front().stack);
  // A variable with a name is the same wherever it is accessed.
  if (quoted(finding.variable).starts_with('`')) finding.identity = finding.variable;
}

}  // namespace raddle::report
