// SPDX-License-Identifier: Apache-2.0
//
// Choosing the steps that matter. Engine side; pure.
#include "report/story.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "report/preemptions.h"

namespace raddle::report {
namespace {

using wire::Event;
using wire::OpClass;
using wire::OpKind;

constexpr unsigned kGranuleShift = 3;
constexpr std::uint64_t kObjectTag = std::uint64_t{1} << 63;
// Beyond these many preemptions (a random schedule of a long run) their surroundings explain
// nothing.
constexpr std::size_t kPreemptionsMax = 30;
constexpr std::size_t kLoopLengthMax = 4;
constexpr std::size_t kLoopRepeatsMin = 3;

bool is_object(OpClass cls) { return cls == OpClass::sync || cls == OpClass::shared; }

template <class Visit>
void for_each_key(const Event& event, Visit visit) {
  if (is_object(wire::op_class(event.kind))) {
    visit(event.where.key() | kObjectTag);
  } else if (wire::is_memory_access(event.kind)) {
    std::uint64_t region = std::uint64_t{event.where.region_id} << 32;
    std::uint64_t last = std::uint64_t{event.where.offset} + std::max<unsigned>(event.size, 1) - 1;
    for (std::uint64_t g = event.where.offset >> kGranuleShift; g <= last >> kGranuleShift; ++g)
      visit(region | g);
  }
}

// What two threads touch, one of them exclusively.
class Conflicts {
 public:
  explicit Conflicts(std::span<const Event> events) {
    for (const Event& event : events) {
      // Setting an object up and taking it down is not using it.
      if (event.kind == OpKind::object_init || event.kind == OpKind::object_destroy) continue;
      OpClass cls = wire::op_class(event.kind);
      bool exclusive = cls == OpClass::sync || wire::writes_memory(event.kind);
      for_each_key(event, [&](std::uint64_t key) {
        auto [entry, fresh] = uses_.try_emplace(key, Use{event.thread, false, false});
        entry->second.several |= entry->second.first != event.thread;
        entry->second.exclusive |= exclusive;
      });
    }
  }
  bool concern(const Event& event) const {
    bool found = false;
    for_each_key(event, [&](std::uint64_t key) {
      auto use = uses_.find(key);
      found = found || (use != uses_.end() && use->second.several && use->second.exclusive);
    });
    return found;
  }

 private:
  struct Use {
    ThreadId first;
    bool several;
    bool exclusive;
  };
  std::unordered_map<std::uint64_t, Use> uses_;
};

bool acquires(const Event& event) {
  return wire::takes_lock(event.kind) && (event.flags & wire::kEventFailed) == 0;
}

// Locks that were taken and never given back: others may wait for them, which is no event.
std::vector<std::size_t> last_acquisitions(std::span<const Event> events) {
  std::unordered_map<std::uint64_t, std::size_t> last_use;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (is_object(wire::op_class(events[i].kind))) last_use[events[i].where.key()] = i;
  std::vector<std::size_t> found;
  for (const auto& [object, index] : last_use)
    if (acquires(events[index])) found.push_back(index);
  return found;
}

bool is_shown_kind(OpKind kind) {
  return kind < OpKind::count && wire::op_class(kind) != OpClass::mark &&
         kind != OpKind::thread_start && kind != OpKind::tick;
}

// Signals and cancellations change what another thread does next.
bool is_about_signals(OpKind kind) {
  return kind == OpKind::signal_send || kind == OpKind::signal_handle ||
         kind == OpKind::thread_cancel;
}

std::set<ThreadId> stuck_threads(const facts::Finding& finding) {
  std::set<ThreadId> stuck;
  for (const facts::ThreadSnapshot& thread : finding.threads)
    if (thread.state.starts_with("blocked") || thread.state.starts_with("waits") ||
        thread.state.starts_with("paused"))
      stuck.insert(thread.id);
  return stuck;
}

std::vector<bool> choose(std::span<const Event> events, const facts::Finding& finding,
                         const std::vector<ThreadId>& preempted, bool somebody_stuck) {
  std::vector<bool> keep(events.size(), false);
  Conflicts conflicts(events);
  auto preemptions = std::ranges::count_if(preempted, [](ThreadId t) { return t != kNoThread; });
  bool show_preemptions = static_cast<std::size_t>(preemptions) <= kPreemptionsMax;
  std::map<ThreadId, std::size_t> last_of;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (!is_shown_kind(event.kind)) continue;
    bool thread_op = event.kind == OpKind::thread_create || event.kind == OpKind::thread_join ||
                     event.kind == OpKind::thread_exit || event.kind == OpKind::event ||
                     is_about_signals(event.kind);
    keep[i] = thread_op || event.kind == OpKind::value || conflicts.concern(event);
    if (preempted[i] != kNoThread && show_preemptions) {
      keep[i] = true;
      auto before = last_of.find(preempted[i]);
      if (before != last_of.end()) keep[before->second] = true;
    }
    last_of[event.thread] = i;
  }
  for (const facts::ThreadSnapshot& thread : finding.threads)
    if (auto last = last_of.find(thread.id); last != last_of.end()) keep[last->second] = true;
  if (somebody_stuck)
    for (std::size_t index : last_acquisitions(events)) keep[index] = true;
  std::size_t end = 0;
  for (const auto& [thread, last] : last_of) end = std::max(end, last);
  if (!last_of.empty()) keep[end] = true;
  return keep;
}

// A creation or joining right after another by the same thread, at the same place or not.
bool extends(const Event& previous, const Event& event) {
  return previous.thread == event.thread && previous.kind == event.kind &&
         (event.kind == OpKind::thread_create || event.kind == OpKind::thread_join);
}

std::vector<StoryStep> gather(std::span<const Event> events, const std::vector<bool>& keep,
                              const std::vector<ThreadId>& preempted) {
  std::vector<StoryStep> story;
  std::size_t skipped = 0;
  ThreadId interrupted = kNoThread;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    // An interruption stays worth telling when the step after it is not shown.
    if (preempted[i] != kNoThread) interrupted = preempted[i];
    if (!keep[i]) {
      skipped += is_shown_kind(event.kind) && (event.flags & wire::kEventStep) != 0 ? 1 : 0;
      continue;
    }
    bool about_thread = event.kind == OpKind::thread_create || event.kind == OpKind::thread_join ||
                        event.kind == OpKind::thread_cancel;
    ThreadId other = wire::other_of(event);
    if (!story.empty() && skipped == 0 && interrupted == kNoThread &&
        extends(events[story.back().event], event)) {
      story.back().others.push_back(other);
      continue;
    }
    StoryStep step;
    step.event = i;
    if (about_thread) step.others.push_back(other);
    if (interrupted != event.thread) step.preempted = interrupted;
    step.skipped = skipped;
    story.push_back(std::move(step));
    interrupted = kNoThread;
    skipped = 0;
  }
  return story;
}

bool alike(const Event& a, const Event& b) {
  // Events of one place may have different names.
  return a.kind != OpKind::event && a.thread == b.thread && a.kind == b.kind && a.site == b.site &&
         a.where == b.where && a.value == b.value &&
         (a.flags & wire::kEventFailed) == (b.flags & wire::kEventFailed);
}

// How often the `length` steps from `at` on are carried out in a row.
std::size_t repeats_at(std::span<const Event> events, const std::vector<StoryStep>& story,
                       std::size_t at, std::size_t length) {
  std::size_t i = at + length;
  while (i < story.size() && story[i].preempted == kNoThread && story[i].others.empty() &&
         alike(events[story[i].event], events[story[i - length].event]) &&
         events[story[i].event].thread == events[story[at].event].thread)
    ++i;
  return (i - at) / length;
}

std::vector<StoryStep> fold_loops(std::span<const Event> events, std::vector<StoryStep> story) {
  std::vector<StoryStep> folded;
  for (std::size_t at = 0; at < story.size();) {
    std::size_t length = 1, repeats = 1;
    for (; length <= kLoopLengthMax && at + length <= story.size(); ++length) {
      repeats = repeats_at(events, story, at, length);
      if (repeats >= kLoopRepeatsMin) break;
    }
    if (repeats < kLoopRepeatsMin) {
      folded.push_back(std::move(story[at++]));
      continue;
    }
    for (std::size_t i = 0; i < length; ++i) folded.push_back(std::move(story[at + i]));
    folded.back().loop_length = length;
    folded.back().loop_repeats = repeats;
    at += length * repeats;
  }
  return folded;
}

// Keeps the beginning and, above all, the end.
void cut_middle(std::vector<StoryStep>& story, std::span<const Event> events,
                std::size_t steps_max) {
  if (story.size() <= steps_max) return;
  std::size_t head = steps_max / 5;
  std::size_t tail = story.size() - (steps_max - head);
  std::size_t first = story[head].event;
  std::size_t last = story[tail].event;
  std::size_t skipped = story[head].skipped;
  for (std::size_t i = first; i < last; ++i)
    skipped += (events[i].flags & wire::kEventStep) != 0 ? 1 : 0;
  story.erase(story.begin() + static_cast<std::ptrdiff_t>(head),
              story.begin() + static_cast<std::ptrdiff_t>(tail));
  story[head].skipped = skipped;
}

}  // namespace

std::vector<StoryStep> make_story(std::span<const Event> events, const facts::Finding& finding,
                                  const StoryOptions& options) {
  std::set<ThreadId> stuck = stuck_threads(finding);
  std::vector<ThreadId> preempted = preempted_before(events, stuck);
  std::vector<bool> keep = choose(events, finding, preempted, !stuck.empty());
  std::vector<StoryStep> story = fold_loops(events, gather(events, keep, preempted));
  cut_middle(story, events, options.steps_max);
  return story;
}

}  // namespace raddle::report
