// SPDX-License-Identifier: Apache-2.0
//
// Words for threads that repeat the same steps. Engine side.
#include "report/livelock_words.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/frames.h"
#include "report/op_place.h"

namespace raddle::report {
namespace {

using facts::Frame;

Frame frame_of(const RunContext& context, const wire::Event& event) {
  Frame frame = op_frame(context.run, {event.thread, event.site, event.where}, context.names);
  frame.file = path_below(frame.file, context.directory);
  return frame;
}

// Functions that take several locks and give them back if one is not free.
constexpr std::string_view kBackOff[] = {"std::lock<",     "std::scoped_lock<",
                                         "std::try_lock<", "std::__detail::__try_lock_impl<",
                                         "boost::lock<",   "boost::detail::lock_impl"};

bool backs_off(const facts::Frame& frame) {
  return std::ranges::any_of(kBackOff, [&](std::string_view name) {
    return frame.function.find(name) != std::string::npos;
  });
}

// Whether the event was made on behalf of one of them, as far as calls are known.
bool in_back_off(const RunContext& context, const wire::Event& event) {
  auto has_one = [&](SiteId site) {
    return std::ranges::any_of(context.names.frames(site), backs_off);
  };
  if (has_one(event.site)) return true;
  if (!context.run.stacks) return false;
  for (std::size_t i = context.run.events.size(); i-- > 0;) {
    const wire::Event& other = context.run.events[i];
    if (other.thread != event.thread || other.site != event.site) continue;
    return std::ranges::any_of(context.run.stacks->callers(i), has_one);
  }
  return false;
}

std::string message_of(const RunContext& context, const facts::Evidence& evidence) {
  std::map<ThreadId, std::vector<std::string>> places;
  for (const wire::Event& event : evidence.events) {
    std::string place = place_text(frame_of(context, event));
    std::vector<std::string>& seen = places[event.thread];
    if (!place.empty() && std::ranges::find(seen, place) == seen.end()) seen.push_back(place);
  }
  std::string message;
  bool first = true;
  for (const auto& [thread, seen] : places) {
    message += fmt::format("{}T{} ({})", first ? "" : ", ", thread, fmt::join(seen, ", "));
    first = false;
  }
  message += places.size() == 1 ? " repeats" : " repeat";
  bool in_step = evidence.kind == facts::FindingKind::lockstep_livelock;
  message += in_step ? " the same steps as long as they keep in step; out of step they go on"
                     : " the same steps with the same values for ever";
  // What the target said of threads that the event schedule keeps back.
  const wire::Verdict& verdict = context.run.verdict;
  std::string paused(verdict.message, strnlen(verdict.message, sizeof verdict.message));
  return paused.empty() ? message : message + "; " + paused;
}

}  // namespace

void describe_livelock(const RunContext& context, const facts::Evidence& evidence,
                       facts::Finding& finding) {
  std::set<ThreadId> involved;
  std::vector<Frame> sites;
  for (const wire::Event& event : evidence.events) {
    involved.insert(event.thread);
    sites.push_back(frame_of(context, event));
  }
  for (facts::ThreadSnapshot& thread : finding.threads)
    thread.in_cycle = involved.contains(thread.id);
  // Where in its cycle the run was cut is chance: the least place of the cycle is not.
  if (!sites.empty()) finding.site = *std::ranges::min_element(sites, {}, site_identity);
  finding.message = message_of(context, evidence);
  if (evidence.kind != facts::FindingKind::lockstep_livelock) return;
  auto backs_off = [&](const wire::Event& event) { return in_back_off(context, event); };
  if (std::ranges::all_of(evidence.events, backs_off)) finding.library = "std::lock";
}

}  // namespace raddle::report
