// SPDX-License-Identifier: Apache-2.0
//
// Words for atomicity violations. Engine side.
#include "report/atomicity_words.h"

#include <fmt/format.h>
#include <string.h>

#include "report/event_words.h"
#include "report/frames.h"

namespace raddle::report {
namespace {

using facts::Frame;
using wire::Event;
using wire::OpClass;

bool updates(const Event& event) { return wire::op_class(event.kind) == OpClass::rmw; }
bool lost(const Event& event) { return (event.flags & wire::kEventFailed) != 0; }
bool writes(const Event& event) { return wire::writes_memory(event.kind) && !lost(event); }
bool reads(const Event& event) { return !writes(event) || updates(event); }

// The calls that led to the event, innermost first, as far as the run recorded them.
std::vector<Frame> stack_of(const RunContext& context, const Event& event) {
  std::vector<Frame> stack = context.names.frames(event.site);
  for (std::size_t i = 0; context.run.stacks && i < context.run.events.size(); ++i) {
    if (memcmp(&context.run.events[i], &event, sizeof event) != 0) continue;
    for (SiteId call : context.run.stacks->callers(i))
      for (Frame& frame : context.names.frames(call)) stack.push_back(std::move(frame));
    break;
  }
  for (Frame& frame : stack) frame.file = path_below(frame.file, context.directory);
  return stack;
}

const char* verb(const Event& event) {
  if (updates(event)) return lost(event) ? "tries to update" : "updates";
  return writes(event) ? "writes" : "reads";
}

std::string place_of(const Frame& frame) {
  std::string place = place_text(frame);
  return place.empty() ? "" : " at " + place;
}

facts::ThreadSnapshot snapshot_of(const RunContext& context, const Event& event, const char* when,
                                  const std::string& what) {
  facts::ThreadSnapshot thread;
  thread.id = event.thread;
  thread.stack = stack_of(context, event);
  thread.state = fmt::format("{}{} {}", when, verb(event), what);
  bool known = event.size >= 1 && event.size <= 8 && (event.flags & wire::kEventRemembered) == 0;
  if (known && reads(event) && !updates(event)) thread.state += " = " + value_text(event);
  return thread;
}

}  // namespace

std::string broken_atomicity(const Event& p, const Event& remote, const Event& i) {
  if (reads(i) && writes(remote))
    return writes(p) ? "case 3, the thread does not read what it wrote"
                     : "case 2, two reads see different values";
  if (writes(remote)) return "case 6, a write based on a value that is no longer there";
  return "case 5, a value that was to be overwritten has been seen";
}

void describe_atomicity(const RunContext& context, const facts::Evidence& violation,
                        facts::Finding& finding) {
  const Event& p = violation.events[0];
  const Event& remote = violation.events[1];
  const Event& i = violation.events[2];
  finding.variable = context.names.location(i.where);
  std::string what = quoted(finding.variable);
  finding.thread = i.thread;
  finding.threads = {snapshot_of(context, p, "first ", what),
                     snapshot_of(context, remote, "then ", what),
                     snapshot_of(context, i, "then ", what)};
  Frame places[3];
  for (std::size_t at = 0; at < 3; ++at) places[at] = best_frame(finding.threads[at].stack);
  finding.site = places[2];
  finding.message = fmt::format(
      "on {}: between the two accesses of T{}, which {} it{} and {} it{}, T{} {} it{}: {}", what,
      i.thread, verb(p), place_of(places[0]), verb(i), place_of(places[2]), remote.thread,
      verb(remote), place_of(places[1]), broken_atomicity(p, remote, i));
  finding.identity = fmt::format("{} {} {}", site_identity(places[0]), site_identity(places[1]),
                                 site_identity(places[2]));
}

}  // namespace raddle::report
