// SPDX-License-Identifier: Apache-2.0
//
// Events in words. Engine side.
#include "report/event_words.h"

#include <fmt/format.h>
#include <string.h>

#include "report/frames.h"
#include "wire/address_step.h"

namespace raddle::report {
namespace {

using wire::Event;
using wire::OpClass;
using wire::OpKind;

std::string memory_suffix(const Event& event) {
  // Larger ranges have no value, and of an access remembered from earlier it is not known.
  bool known = event.size >= 1 && event.size <= 8 && event.kind != OpKind::memory_free &&
               (event.flags & wire::kEventRemembered) == 0;
  if (!known) return "";
  if (event.kind == OpKind::atomic_cas && (event.flags & wire::kEventFailed) != 0)
    return fmt::format(" (failed, was {})", value_text(event));
  bool reads = event.kind == OpKind::plain_read || event.kind == OpKind::atomic_load;
  return reads ? " = " + value_text(event) : fmt::format(" (was {})", value_text(event));
}

// The number of a signal is the size of its event; whom it was sent to is its other thread.
std::string signal_words(const Event& event) {
  const char* known = sigabbrev_np(event.size);
  std::string name =
      known != nullptr ? fmt::format("SIG{}", known) : fmt::format("signal {}", event.size);
  if (event.kind == OpKind::signal_handle)
    return event.size == 0 ? "is cancelled" : "handle " + name;
  if (event.kind == OpKind::signal_wait) return "wait for " + name;
  ThreadId target = wire::other_of(event);
  return target < kMaxThreads ? fmt::format("send {} to T{}", name, target) : "send " + name;
}

bool carries_caller(const Event& event) {
  OpClass cls = wire::op_class(event.kind);
  return event.kind != OpKind::value &&
         (cls == OpClass::sync || cls == OpClass::shared || cls == OpClass::thread ||
          cls == OpClass::global || cls == OpClass::pause);
}

// An access that raced is told as what it is.
std::string kind_words(const Event& event) {
  if (event.kind == OpKind::io_connect && event.size != 0)
    return event.size == static_cast<unsigned>(wire::AddressStep::bind) ? "bind" : "listen";
  if (event.kind != OpKind::race && event.kind != OpKind::race_with)
    return wire::op_word(event.kind);
  if ((event.order & wire::kRaceFree) != 0) return "free";
  bool writes = (event.order & wire::kRaceWrite) != 0;
  return std::string((event.order & wire::kRaceAtomic) != 0 ? "atomic " : "") +
         (writes ? "write" : "read");
}

}  // namespace

std::string value_text(const Event& event) {
  constexpr std::int64_t kNumberMax = std::int64_t{1} << 40;
  unsigned bits = 8u * event.size;
  std::uint64_t value = event.value;
  if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
  auto number = static_cast<std::int64_t>(value);
  if (bits < 64 && (value >> (bits - 1)) != 0) number -= std::int64_t{1} << bits;
  if (number > -kNumberMax && number < kNumberMax) return fmt::format("{}", number);
  return fmt::format("{:#x}", value);
}

std::string event_words(const Event& event, const std::vector<ThreadId>& others, Names& names) {
  std::string words = kind_words(event);
  bool failed = (event.flags & wire::kEventFailed) != 0;
  if (event.kind == OpKind::thread_exit) return "ends";
  if (event.kind == OpKind::event) return words;
  if (event.kind == OpKind::thread_create && failed) return "create (failed)";
  if (!others.empty()) {
    for (std::size_t i = 0; i < others.size(); ++i)
      words += fmt::format("{}T{}", i == 0 ? " " : ", ", others[i]);
    return failed ? words + " (timed out)" : words;
  }
  if (event.kind == OpKind::signal_send || event.kind == OpKind::signal_handle ||
      (event.kind == OpKind::signal_wait && event.size != 0))
    return signal_words(event);
  if (event.kind == OpKind::value) return fmt::format("value {}", event.value);
  if (event.where.region() != wire::Region::none) words += " " + names.location(event.where);
  if (wire::is_memory_access(event.kind)) {
    words += memory_suffix(event);
    return (event.flags & wire::kEventRemembered) != 0 ? words + " (earlier)" : words;
  }
  return failed ? words + " (failed)" : words;
}

std::string event_name(std::span<const Event> events, std::size_t index) {
  std::string name;
  ThreadId thread = events[index].thread;
  while (++index < events.size() && events[index].kind == OpKind::event_name &&
         events[index].thread == thread) {
    char chunk[wire::kEventNameChunk];
    memcpy(chunk, &events[index].where, sizeof events[index].where);
    memcpy(chunk + sizeof events[index].where, &events[index].value, sizeof events[index].value);
    name.append(chunk, strnlen(chunk, sizeof chunk));
  }
  return name;
}

const EventPlaces::Site& EventPlaces::site(SiteId id) {
  auto [entry, fresh] = sites_.try_emplace(id);
  if (!fresh) return entry->second;
  std::vector<facts::Frame> frames = names_.frames(id);
  if (const facts::Frame* frame = user_frame(frames))
    entry->second = {true, *frame, ""};
  else if (!frames.empty())
    entry->second.library = frames.back().function;
  return entry->second;
}

// The site of the event, or of its nearest caller, that lies in the user's code; null if none does.
const EventPlaces::Site* EventPlaces::user_site(std::size_t index) {
  const Event& event = events_[index];
  const Site& own = site(event.site);
  if (own.in_user_code) return &own;
  for (SiteId call : stacks_.callers(index))
    if (const Site& caller = site(call); caller.in_user_code) return &caller;
  if (!carries_caller(event) || wire::caller_of(event) == 0) return nullptr;
  const Site& caller = site(wire::caller_of(event));
  return caller.in_user_code ? &caller : nullptr;
}

void EventPlaces::follow(std::size_t index) {
  // Of an access remembered from earlier: the thread was there, it is not now.
  if ((events_[index].flags & wire::kEventRemembered) != 0) return;
  if (const Site* found = user_site(index)) recent_[events_[index].thread] = found;
}

EventPlace EventPlaces::place(std::size_t index) {
  for (; followed_ <= index; ++followed_) follow(followed_);
  if (const Site* found = user_site(index)) return {&found->frame, ""};
  const Event& event = events_[index];
  auto recent = recent_.find(event.thread);
  bool known = recent != recent_.end() && event.kind != OpKind::thread_exit;
  return {known ? &recent->second->frame : nullptr, site(event.site).library};
}

}  // namespace raddle::report
