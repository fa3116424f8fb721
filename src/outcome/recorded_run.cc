// SPDX-License-Identifier: Apache-2.0
//
// From a run to events with places. Engine side.
#include "outcome/recorded_run.h"

#include <algorithm>

#include "report/frames.h"

namespace raddle::outcome {
namespace {

using wire::Event;
using wire::OpClass;
using wire::OpKind;
using wire::ThreadReport;
using wire::VerdictKind;

// The innermost instrumented caller that events of synchronisation carry.
SiteId carried_caller(const Event& event) {
  OpClass cls = wire::op_class(event.kind);
  bool carries = event.kind != OpKind::value &&
                 (cls == OpClass::sync || cls == OpClass::shared || cls == OpClass::thread);
  return carries ? wire::caller_of(event) : 0;
}

const ThreadReport* report_of(const facts::Run& run, ThreadId thread) {
  for (const ThreadReport& report : run.threads)
    if (report.id == thread) return &report;
  return nullptr;
}

SiteId place_of(const ThreadReport& report, UserSites& sites) {
  std::span<const SiteId> frames(report.frames, report.frame_count);
  return frames.empty() ? 0 : sites.place(frames[0], frames.subspan(1), 0);
}

}  // namespace

bool UserSites::contains(SiteId site) {
  if (site == 0) return false;
  auto [entry, fresh] = known_.try_emplace(site);
  if (fresh) entry->second = report::user_frame(names_.frames(site)) != nullptr;
  return entry->second;
}

SiteId UserSites::place(SiteId own, std::span<const SiteId> callers, SiteId caller) {
  if (contains(own)) return own;
  for (SiteId call : callers)
    if (contains(call)) return call;
  return contains(caller) ? caller : own;
}

RecordedRun::RecordedRun(const facts::Run& run, UserSites& sites) {
  events.assign(run.events.begin(), run.events.end());
  places.reserve(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    std::span<const SiteId> callers;
    if (run.stacks) callers = run.stacks->callers(i);
    places.push_back(sites.place(events[i].site, callers, carried_caller(events[i])));
  }
  recorded = events.size();
  add_heap_error(run, sites);
  add_cycle(run, sites);
}

void RecordedRun::add(const Event& event, SiteId place) {
  events.push_back(event);
  places.push_back(place);
}

void RecordedRun::add_heap_error(const facts::Run& run, UserSites& sites) {
  const wire::Verdict& verdict = run.verdict;
  bool again = verdict.kind == VerdictKind::double_free;
  if (verdict.kind != VerdictKind::use_after_free && !again) return;
  const ThreadReport* report = report_of(run, verdict.thread);
  if (report == nullptr || verdict.where.region() != wire::Region::heap) return;
  std::uint32_t block = verdict.where.id();
  auto frees = [&](const Event& event) {
    return event.kind == OpKind::memory_free && event.where.region() == wire::Region::heap &&
           event.where.id() == block;
  };
  // A block that only one thread had touched is freed without an event.
  if (std::ranges::none_of(events, frees) && run.stacks) {
    const facts::HeapRecord& release = run.stacks->release(block);
    Event freed{};
    freed.kind = OpKind::memory_free;
    freed.thread = release.thread;
    freed.site = release.site;
    freed.step = verdict.step;
    freed.where = wire::make_location(wire::Region::heap, block, 0);
    freed.size = static_cast<std::uint16_t>(std::min<std::uint64_t>(verdict.block_size, 0xffff));
    if (release.thread != kNoThread) add(freed, sites.place(release.site, release.callers, 0));
  }
  Event access{};
  access.kind = again ? OpKind::memory_free
                      : (verdict.is_write != 0 ? OpKind::plain_write : OpKind::plain_read);
  access.thread = verdict.thread;
  access.site = report->frame_count > 0 ? report->frames[0] : 0;
  access.step = verdict.step;
  access.where = verdict.where;
  access.flags = wire::kEventRemembered;  // its value is not known
  access.size = static_cast<std::uint16_t>(std::min<std::uint32_t>(verdict.access_size, 0xffff));
  add(access, place_of(*report, sites));
}

void RecordedRun::add_cycle(const facts::Run& run, UserSites& sites) {
  if (run.verdict.kind != VerdictKind::deadlock) return;
  auto acquired = [this](ThreadId holder, wire::Location where) {
    for (std::size_t i = recorded; i-- > 0;)
      if (events[i].thread == holder && events[i].where == where &&
          wire::takes_lock(events[i].kind) && (events[i].flags & wire::kEventFailed) == 0)
        return i;
    return kNone;
  };
  for (const ThreadReport& report : run.threads) {
    if (report.in_cycle == 0) continue;
    Event wanted{};
    wanted.kind = report.op;
    wanted.thread = report.id;
    wanted.site = report.frame_count > 0 ? report.frames[0] : 0;
    wanted.step = run.verdict.step;
    wanted.where = report.where;
    bool lock = wire::takes_lock(report.op);
    if (!lock) wanted.value = wire::pack_caller(0, report.waits_for);
    std::size_t held = lock ? acquired(report.waits_for, report.where) : kNone;
    cycle.push_back({held, events.size()});
    add(wanted, place_of(report, sites));
  }
}

}  // namespace raddle::outcome
