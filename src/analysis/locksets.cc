// SPDX-License-Identifier: Apache-2.0
//
// See locksets.h. Engine side.
#include "analysis/locksets.h"

#include <algorithm>
#include <iterator>

#include "analysis/def_use.h"
#include "analysis/touched.h"
#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

constexpr std::size_t kRecordsOfByte = 4;
constexpr std::size_t kRecordsMax = std::size_t{1} << 18;

bool for_reading(OpKind kind) {
  return kind == OpKind::rwlock_read || kind == OpKind::rwlock_try_read ||
         kind == OpKind::rwlock_timed_read;
}

}  // namespace

std::uint64_t unprotected_key(const facts::Evidence& evidence) {
  const Event& event = evidence.events.front();
  bool lasting = event.where.region() == wire::Region::global;
  return lasting ? mix64(event.where.key()) : mix64(event.site + 1);
}

void Locksets::begin() {
  threads_.clear();
  sets_.clear();
  set_ids_.clear();
  granule_of_.clear();
  granules_.clear();
  histories_.clear();
  records_.clear();
  found_.clear();
  intern({});
}

Locksets::Thread& Locksets::thread(ThreadId id) {
  if (id >= threads_.size()) threads_.resize(std::size_t{id} + 1);
  Thread& thread = threads_[id];
  if (thread.clock.size() <= id) thread.clock.resize(std::size_t{id} + 1, 0);
  if (thread.clock[id] == 0) thread.clock[id] = 1;
  return thread;
}

Locksets::SetId Locksets::intern(std::vector<std::uint64_t> locks) {
  auto known = set_ids_.find(locks);
  if (known != set_ids_.end()) return known->second;
  // More sets than that: data below further ones looks unprotected by the locks left out, so it
  // must not be looked at. The caller treats kLocksetsMax so.
  if (sets_.size() == kLocksetsMax) return kLocksetsMax;
  auto id = static_cast<SetId>(sets_.size());
  set_ids_.emplace(locks, id);
  sets_.push_back(std::move(locks));
  return id;
}

Locksets::SetId Locksets::intersect(SetId a, SetId b) {
  if (a == b) return a;
  if (a == kLocksetsMax || b == kLocksetsMax) return kLocksetsMax;
  std::vector<std::uint64_t> common;
  std::ranges::set_intersection(sets_[a], sets_[b], std::back_inserter(common));
  return intern(std::move(common));
}

void Locksets::on_event(const Event& event) {
  if (event.thread >= kLocksetThreadsMax) return;
  bool failed = (event.flags & wire::kEventFailed) != 0;
  if (wire::takes_lock(event.kind)) {
    if (!failed) acquire(event, for_reading(event.kind));
    return;
  }
  switch (event.kind) {
    case OpKind::mutex_unlock:
    case OpKind::rwlock_unlock:
      if (!failed) release(event);
      break;
    case OpKind::thread_create:
    case OpKind::thread_join:
    case OpKind::thread_exit:
      order_threads(event);
      break;
    case OpKind::plain_read:
    case OpKind::plain_write:
    case OpKind::memory_free:
      access(event);
      break;
    default:
      break;
  }
}

void Locksets::note_held(Thread& self) {
  std::vector<std::uint64_t> any, writing;
  for (const Held& held : self.held) {
    any.push_back(held.where.key());
    if (!held.read) writing.push_back(held.where.key());
  }
  std::ranges::sort(any);
  std::ranges::sort(writing);
  self.any = intern(std::move(any));
  self.writing = intern(std::move(writing));
}

void Locksets::acquire(const Event& event, bool read) {
  Thread& self = thread(event.thread);
  for (Held& held : self.held)
    if (held.where == event.where) {
      ++held.depth;
      return;
    }
  self.held.push_back({event.where, read, 1});
  note_held(self);
}

void Locksets::release(const Event& event) {
  auto drop = [&](Thread& holder) {
    auto held = std::ranges::find(holder.held, event.where, &Held::where);
    if (held == holder.held.end()) return false;
    if (--held->depth == 0) {
      holder.held.erase(held);
      note_held(holder);
    }
    return true;
  };
  if (drop(thread(event.thread))) return;
  for (Thread& holder : threads_)  // somebody else's: libc lets it go
    if (drop(holder)) return;
}

void Locksets::order_threads(const Event& event) {
  ThreadId other = wire::other_of(event);
  thread(event.thread);
  if (event.kind == OpKind::thread_exit) {
    threads_[event.thread].held.clear();
    note_held(threads_[event.thread]);
    return;
  }
  bool failed = (event.flags & wire::kEventFailed) != 0;
  if (failed || other >= kLocksetThreadsMax || other == event.thread) return;
  thread(other);
  bool creates = event.kind == OpKind::thread_create;
  Clock& to = threads_[creates ? other : event.thread].clock;
  Clock& from = threads_[creates ? event.thread : other].clock;
  if (to.size() < from.size()) to.resize(from.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
  if (creates) ++from[event.thread];
}

void Locksets::access(const Event& event) {
  thread(event.thread);
  current_record_ = 0;
  told_ = false;
  for_each_touched(event, [&](std::uint64_t key, std::uint8_t mask) {
    std::uint32_t& number = granule_of_[key];
    if (number == 0) {
      if (event.kind == OpKind::memory_free || granules_.size() == kGranulesMax) return;
      granules_.emplace_back();
      number = static_cast<std::uint32_t>(granules_.size());
    }
    for (unsigned i = 0; i < 8; ++i)
      if ((mask >> i & 1) != 0) access(granules_[number - 1].bytes[i], event);
  });
}

// Whether every earlier access comes before what the thread does now, by creations and joins.
bool Locksets::is_ordered(const Byte& byte, const Thread& self, ThreadId id) const {
  auto before = [&](ThreadId other, std::uint32_t time) {
    return other == id || (other < self.clock.size() && self.clock[other] >= time);
  };
  if (byte.history == 0) return before(byte.owner, byte.time);
  return std::ranges::all_of(histories_[byte.history - 1].times,
                             [&](const auto& at) { return before(at.first, at.second); });
}

void Locksets::access(Byte& byte, const Event& event) {
  if (event.kind == OpKind::memory_free) {
    byte = {};
    return;
  }
  Thread& self = threads_[event.thread];
  // An access remembered from earlier: made before the byte was shared, nobody knows below which
  // locks; and when, only that it was not after now.
  bool remembered = (event.flags & wire::kEventRemembered) != 0;
  if (remembered && byte.state != State::virgin) return;
  bool mine = byte.state == State::virgin || is_ordered(byte, self, event.thread);
  bool exclusive = byte.state == State::virgin || byte.state == State::exclusive;
  if (mine || (exclusive && byte.owner == event.thread)) {
    bool reported = byte.reported;
    byte = {State::exclusive, reported, event.thread, self.clock[event.thread], 0, 0,
            record(event)};
    return;
  }
  access_shared(byte, event);
}

void Locksets::leave_exclusive(Byte& byte) {
  histories_.emplace_back();
  byte.history = static_cast<std::uint32_t>(histories_.size());
  histories_.back().times.push_back({byte.owner, byte.time});
  if (byte.first != 0) histories_.back().records.push_back(byte.first);
}

void Locksets::access_shared(Byte& byte, const Event& event) {
  const Thread& self = threads_[event.thread];
  bool write = event.kind == OpKind::plain_write;
  SetId held = write ? self.writing : self.any;
  if (byte.history == 0) {
    leave_exclusive(byte);
    byte.state = State::shared;
    byte.candidates = held;
  } else {
    byte.candidates = intersect(byte.candidates, held);
  }
  if (write) byte.state = State::modified;
  History& history = histories_[byte.history - 1];
  bool empty = byte.candidates < sets_.size() && sets_[byte.candidates].empty();
  if (empty && byte.state == State::modified && !byte.reported) report(byte, event);
  remember(history, event);
  std::uint32_t now = self.clock[event.thread];
  auto known =
      std::ranges::find(history.times, event.thread, [](const auto& at) { return at.first; });
  if (known != history.times.end())
    known->second = now;
  else
    history.times.push_back({event.thread, now});
}

std::uint32_t Locksets::record(const Event& event) {
  if (current_record_ == 0 && records_.size() < kRecordsMax) {
    bool remembered = (event.flags & wire::kEventRemembered) != 0;
    records_.push_back({event, remembered ? std::vector<Held>() : threads_[event.thread].held});
    current_record_ = static_cast<std::uint32_t>(records_.size());
  }
  return current_record_;
}

// Accesses of different places, threads or locks.
void Locksets::remember(History& history, const Event& event) {
  auto same = [&](std::uint32_t number) {
    const Record& known = records_[number - 1];
    return known.event.site == event.site && known.event.thread == event.thread;
  };
  auto known = std::ranges::find_if(history.records, same);
  if (known == history.records.end()) {
    if (history.records.size() == kRecordsOfByte) return;
    if (std::uint32_t number = record(event); number != 0) history.records.push_back(number);
  } else if ((records_[*known - 1].event.flags & wire::kEventRemembered) != 0) {
    // Of this one the locks are known.
    if (std::uint32_t number = record(event); number != 0) *known = number;
  }
}

void Locksets::report(Byte& byte, const Event& event) {
  byte.reported = true;
  if (told_ || found_.size() == kUnprotectedMax) return;
  told_ = true;
  Evidence evidence;
  evidence.thread = event.thread;
  auto add = [&](const Event& access, const std::vector<Held>& locks) {
    evidence.events.push_back(access);
    for (const Held& lock : locks) {
      Event held{};
      held.kind = OpKind::held;
      held.thread = access.thread;
      held.where = lock.where;
      held.order = lock.read ? 1 : 0;
      evidence.events.push_back(held);
    }
  };
  add(event, threads_[event.thread].held);
  for (std::uint32_t number : histories_[byte.history - 1].records) {
    const Record& earlier = records_[number - 1];
    // What the same thread did below the same locks is no contrast.
    bool alike = earlier.event.thread == event.thread &&
                 std::ranges::equal(earlier.held, threads_[event.thread].held, {}, &Held::where,
                                    &Held::where);
    if (!alike) add(earlier.event, earlier.held);
  }
  found_.push_back(std::move(evidence));
}

void Locksets::finish(const facts::Run&, Findings& findings) {
  for (Evidence& evidence : found_) findings.push_back(std::move(evidence));
  found_.clear();
}

}  // namespace raddle::analysis
