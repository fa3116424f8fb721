// SPDX-License-Identifier: Apache-2.0
//
// Words for races. Engine side.
#include "report/race_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/event_words.h"
#include "report/frames.h"
#include "report/library_races.h"

namespace raddle::report {
namespace {

using facts::Frame;
using wire::Event;

struct Side {
  const Event& event;
  std::vector<Frame> stack;
  std::vector<std::string> locks;
  Frame place;
};

Side side_of(const RunContext& context, const facts::Evidence& race, std::size_t which) {
  Side side{race.events[which], context.names.frames(race.events[which].site), {}, {}};
  std::size_t index = race.first_index + which;
  if (context.run.stacks) {
    for (SiteId call : context.run.stacks->callers(index))
      for (Frame& frame : context.names.frames(call)) side.stack.push_back(std::move(frame));
    for (wire::Location lock : context.run.stacks->locks(index))
      side.locks.push_back(context.names.location(lock));
  }
  for (Frame& frame : side.stack) frame.file = path_below(frame.file, context.directory);
  side.place = best_frame(side.stack);
  return side;
}

std::string verb(const Event& event, bool past) {
  bool write = (event.order & wire::kRaceWrite) != 0;
  bool atomic = (event.order & wire::kRaceAtomic) != 0;
  if ((event.order & wire::kRaceFree) != 0) return past ? "freed" : "frees";
  std::string_view word = write ? (past ? "wrote" : "writes") : (past ? "read" : "reads");
  return fmt::format("{}{}", word, atomic ? " (atomically)" : "");
}

std::string clause(const Side& side, bool past, bool locks_known) {
  std::string text = fmt::format("T{} {} it", side.event.thread, verb(side.event, past));
  std::string place = place_text(side.place);
  if (!place.empty()) text += " at " + place;
  if (!locks_known) return text;
  if (side.locks.empty()) return text + " holding no lock";
  std::vector<std::string> locks;
  for (const std::string& lock : side.locks) locks.push_back(quoted(lock));
  return text + fmt::format(" holding {}", fmt::join(locks, ", "));
}

std::string missing_edge(const Side& now, const Side& earlier) {
  bool atomic = ((now.event.order | earlier.event.order) & wire::kRaceAtomic) != 0;
  if (atomic) return "one of the two is not atomic, and nothing else orders them";
  for (const std::string& lock : now.locks)
    if (std::ranges::find(earlier.locks, lock) != earlier.locks.end())
      return fmt::format("both hold {}, but not both exclusively", quoted(lock));
  if (!now.locks.empty() && !earlier.locks.empty())
    return "the locks differ, and nothing else orders the two";
  return "no lock, atomic, join or other synchronisation orders the two";
}

// With the value that the access found or left, as far as known; the new value of a write is not.
std::string deed(const Event& event, bool past, const std::string& what) {
  std::string words = fmt::format("{} {}", verb(event, past), what);
  bool known = event.size >= 1 && event.size <= 8 && (event.flags & wire::kEventRemembered) == 0 &&
               (event.order & wire::kRaceFree) == 0;
  bool write = (event.order & wire::kRaceWrite) != 0;
  if (known && !write) words += " = " + value_text(event);
  if (known && write && !past) words += fmt::format(" (was {})", value_text(event));
  if (past) words += " before";
  if (known && write && past) words += ", leaving " + value_text(event);
  return words;
}

facts::ThreadSnapshot snapshot_of(const Side& side, bool past, const std::string& what) {
  facts::ThreadSnapshot thread;
  thread.id = side.event.thread;
  thread.state = deed(side.event, past, what);
  thread.stack = side.stack;
  for (const std::string& lock : side.locks) thread.held.push_back({lock, {}});
  return thread;
}

// Whether the run has an atomic operation on the word after those bytes.
bool is_before_atomic(const facts::Run& run, wire::Location where) {
  // Places on a stack are named by how far they lie below its beginning.
  wire::Location next = where;
  next.offset += where.region() == wire::Region::stack ? -8u : 8u;
  return std::ranges::any_of(run.events, [&](const Event& event) {
    bool atomic = event.kind == wire::OpKind::atomic_load ||
                  event.kind == wire::OpKind::atomic_store ||
                  event.kind == wire::OpKind::atomic_rmw || event.kind == wire::OpKind::atomic_cas;
    return atomic && event.where == next;
  });
}

// Of a side of the race. Who called what is known only if the run has recorded it.
RaceAccess access_of(const RunContext& context, const facts::Evidence& race, std::size_t which) {
  const Event& event = race.events[which];
  RaceAccess access{context.names.functions(event.site), (event.order & wire::kRaceWrite) != 0};
  if (!context.run.stacks) return access;
  // What is asked for are an operation and the helper that it calls: one call will do.
  auto calls = context.run.stacks->callers(race.first_index + which);
  if (!calls.empty())
    for (std::string& function : context.names.functions(calls[0]))
      access.functions.push_back(std::move(function));
  return access;
}

}  // namespace

void describe_race(const RunContext& context, const facts::Evidence& race,
                   facts::Finding& finding) {
  Side now = side_of(context, race, 0), earlier = side_of(context, race, 1);
  finding.variable = context.names.location(now.event.where);
  std::string what = quoted(finding.variable);
  bool known = context.run.stacks != nullptr;
  finding.site = now.place;
  finding.message = fmt::format("on {}: {}, {}; {}", what, clause(now, false, known),
                                clause(earlier, true, known), missing_edge(now, earlier));
  finding.threads = {snapshot_of(now, false, what), snapshot_of(earlier, true, what)};
  std::ranges::sort(finding.threads, {}, &facts::ThreadSnapshot::id);
  std::set<std::string> sites;
  for (const facts::ThreadSnapshot& thread : finding.threads)
    sites.insert(site_identity(best_frame(thread.stack)));
  finding.identity = fmt::format("{}", fmt::join(sites, " "));
  finding.library = library_race(access_of(context, race, 0), access_of(context, race, 1),
                                 is_before_atomic(context.run, now.event.where));
  if (finding.library.empty()) return;
  finding.message += fmt::format("; it is the C++ library's own, in {}", finding.library);
  // Another one than a race of the program's own at the same lines.
  finding.identity += " in " + finding.library;
}

}  // namespace raddle::report
