// SPDX-License-Identifier: Apache-2.0
//
// See idiom_predictor.h. Engine side. An access that is like an earlier one of its thread costs a
// few lookups; the history of its variable is gone through only when it adds to it.
#include "analysis/idiom_predictor.h"

#include <algorithm>

#include "base/check.h"
#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::OpKind;

constexpr std::size_t kEntriesMax = 1u << 17;
constexpr std::size_t kNotedLocksMax = 1u << 12;

constexpr bool writes(AccessRole role) {
  return role == AccessRole::write || role == AccessRole::update || role == AccessRole::unlock;
}

constexpr std::uint64_t site_key(const SharedAccess& access) {
  return (std::uint64_t{access.site} << 8) | static_cast<std::uint8_t>(access.kind);
}

// Locks at places that are the same in every run.
bool lasts(const Lockset& locks) {
  return std::all_of(locks.begin(), locks.end(), [](const NotedLock& lock) {
    auto region = static_cast<std::uint32_t>(lock.key >> 32) & 0x7fffffffu;
    return wire::Location{region, 0}.region() == wire::Region::global;
  });
}

}  // namespace

IdiomPredictor::IdiomPredictor(std::uint32_t window) : pairs_(window) {
  RADDLE_CHECK(window > 0 && window <= kPairWindowMax);
}

void IdiomPredictor::begin() {
  stream_.begin();
  clocks_.begin();
  pairs_.begin();
  found_.clear();
  births_.clear();
  truncated_ = false;
  variables_.clear();
  records_.clear();
  entries_.clear();
  entry_index_.clear();
}

// Predicts what can be predicted of what was there.
void IdiomPredictor::on_forget() {
  finish();
  pairs_.forget();
  variables_.clear();
  records_.clear();
  entries_.clear();
  entry_index_.clear();
}

std::size_t IdiomPredictor::entries() const {
  return records_.size() + entries_.size() + variables_.size() + pairs_.entries() +
         clocks_.snapshots() + found_.roots().size();
}

void IdiomPredictor::on_event(const wire::Event& event) {
  stream_.read(event, *this);
  clocks_.on_event(event);
  if (event.kind == OpKind::thread_create && wire::other_of(event) < kClockThreads) {
    std::size_t child = wire::other_of(event);
    if (child >= births_.size()) births_.resize(child + 1, SyncClocks::kNone);
    births_[child] = clocks_.snapshot(static_cast<ThreadId>(child));
  }
  if (clocks_.wants_sweep()) sweep();
}

void IdiomPredictor::finish() {
  flush_all();
  pairs_.correlate([this](std::uint32_t a, std::uint32_t b) { return concurrent(a, b); }, found_);
  truncated_ |= pairs_.truncated();
}

IdiomPredictor::Variable& IdiomPredictor::variable(std::uint32_t id) {
  if (id >= variables_.size()) variables_.resize(std::size_t{id} + 1);
  return variables_[id];
}

IdiomPredictor::Record& IdiomPredictor::record(Variable& variable, ThreadId thread) {
  for (std::uint32_t i = variable.records; i != kNone; i = records_[i].next)
    if (records_[i].thread == thread) return records_[i];
  Record fresh;
  fresh.thread = thread;
  fresh.next = variable.records;
  variable.records = static_cast<std::uint32_t>(records_.size());
  records_.push_back(fresh);
  return records_.back();
}

// A part of a variable has its past.
void IdiomPredictor::on_split(std::uint32_t old_variable, std::uint32_t new_variable) {
  variable(std::max(old_variable, new_variable));
  variables_[new_variable] = {};
  auto moved = [&](std::uint32_t access) {
    return access == kNone ? kNone : pairs_.clone(access, new_variable);
  };
  for (std::uint32_t i = variables_[old_variable].records; i != kNone; i = records_[i].next) {
    Record copy = records_[i];
    copy.read.access = moved(copy.read.access);
    copy.write.access = moved(copy.write.access);
    copy.slot = kNone;
    copy.next = variables_[new_variable].records;
    variables_[new_variable].records = static_cast<std::uint32_t>(records_.size());
    records_.push_back(copy);
  }
  for (std::uint32_t i = variables_[old_variable].entries; i != kNone; i = entries_[i].next) {
    Entry copy = entries_[i];
    copy.access = moved(copy.access);
    if (copy.access == kNone || entries_.size() == kEntriesMax) continue;
    copy.next = variables_[new_variable].entries;
    variables_[new_variable].entries = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back(copy);
  }
}

Lockset IdiomPredictor::locks_of(const SharedAccess& access, const Record& mine) const {
  Lockset locks;
  for (const AccessStream::Held& held : stream_.held(access.thread)) {
    if (is_lock_role(access.role) && held.where == access.where) continue;
    if (locks.size() == kLocksNoted) break;
    locks.push_back({held.key, held.read, mine.last_op > held.op, mine.last_write_op > held.op});
  }
  return locks;
}

// Which locks of the access are still held, in the same critical section.
std::uint8_t IdiomPredictor::still_held(const Pending& pending) const {
  const PredictedAccess& access = pairs_.access(pending.access);
  const Lockset& locks = pairs_.lockset(access.lockset);
  std::uint8_t mask = 0;
  for (std::size_t l = 0; l < locks.size(); ++l)
    for (const AccessStream::Held& held : stream_.held(access.first.thread))
      if (held.key == locks[l].key && held.op < pending.op)
        mask |= static_cast<std::uint8_t>(1u << l);
  return mask;
}

void IdiomPredictor::on_access(const SharedAccess& access) {
  if (access.thread >= kClockThreads) {
    truncated_ = true;
    return;
  }
  if (access.remembered) return remembered(access);
  Record& mine = record(variable(access.variable), access.thread);
  bool is_write = writes(access.role);
  next_access(mine, is_write, access.thread, false);
  Pending pending;
  pending.access = pairs_.intern(access, locks_of(access, mine));
  pending.op = access.op;
  pending.time.clock = clocks_.snapshot(access.thread);
  pending.time.now = clocks_.now(access.thread);
  pending.time.before = mine.last;
  pending.time.write_before = mine.last_write;
  if (pending.access != kNone && !access.wide)
    pairs_.made(pending.access, access, mine.last_op, mine.slot, stream_.held(access.thread));
  mine.last_op = access.op;
  mine.last = pending.time.clock;
  if (is_write) {
    mine.last_write_op = access.op;
    mine.last_write = pending.time.clock;
    mine.write = pending;
  } else {
    mine.read = pending;
  }
}

// What an access before this one has waited for. If this one is remembered, it may have been made
// in the same critical sections, and at the same time.
void IdiomPredictor::next_access(Record& mine, bool is_write, ThreadId thread, bool remembered) {
  for (Pending* pending : {&mine.read, &mine.write}) {
    if (pending->access == kNone) continue;
    std::uint8_t held = remembered ? 0xff : still_held(*pending);
    std::uint32_t now = remembered ? pending->time.now : clocks_.now(thread);
    if (pending->time.after == kNever) {
      pending->time.after = now;
      pending->after = held;
    }
    if (is_write) pending->time.write_after = now;
    if (is_write || pending == &mine.read) mature(*pending, is_write ? held : 0);
  }
}

// Known only now; its locks are those of its site.
void IdiomPredictor::remembered(const SharedAccess& access) {
  Record& mine = record(variable(access.variable), access.thread);
  bool is_write = writes(access.role);
  next_access(mine, is_write, access.thread, true);
  // Perhaps in the critical sections that its thread is in now.
  mine.last_op = access.op + 1;
  if (is_write) mine.last_write_op = access.op + 1;
  const SiteNote* note = access.vague ? nullptr : notes_.find(site_key(access));
  if (note == nullptr || note->locks == 0) return;
  const Lockset& locks = noted_locks_[note->locks - 1];
  if (!lasts(locks)) return;
  Pending pending;
  pending.access = pairs_.intern(access, locks);
  pending.op = access.op;
  pending.after = note->after;
  if (access.thread < births_.size()) pending.time.clock = births_[access.thread];
  if (pending.time.clock == SyncClocks::kNone) pending.time.clock = clocks_.snapshot(access.thread);
  pending.time.now = 1;
  if (pending.access != kNone) enter(pending, note->write_after);
}

void IdiomPredictor::mature(Pending& pending, std::uint8_t write_after) {
  if (pending.access == kNone) return;
  note(pending, write_after);
  enter(pending, write_after);
  pending = {};
}

// Of all accesses of the site the last one counts.
void IdiomPredictor::note(const Pending& pending, std::uint8_t write_after) {
  const PredictedAccess& access = pairs_.access(pending.access);
  const Lockset& locks = pairs_.lockset(access.lockset);
  SiteNote& note = notes_[site_key(access.first)];
  if (note.locks == 0 || noted_locks_[note.locks - 1] != locks) {
    auto known = std::find(noted_locks_.begin(), noted_locks_.end(), locks);
    if (known == noted_locks_.end() && noted_locks_.size() == kNotedLocksMax) return;
    note.locks = static_cast<std::uint32_t>(known - noted_locks_.begin()) + 1;
    if (known == noted_locks_.end()) noted_locks_.push_back(locks);
  }
  note.after = pending.after;
  note.write_after = write_after;
}

// Puts the access into the history of its variable.
void IdiomPredictor::enter(const Pending& pending, std::uint8_t write_after) {
  std::uint64_t key =
      (std::uint64_t{pending.access} << 16) | (std::uint64_t{pending.after} << 8) | write_after;
  std::uint32_t& index = entry_index_[key];
  if (index == 0) {
    if (entries_.size() == kEntriesMax) {
      truncated_ = true;
      return;
    }
    Variable& touched = variable(pairs_.access(pending.access).first.variable);
    Entry fresh;
    fresh.access = pending.access;
    fresh.after = pending.after;
    fresh.write_after = write_after;
    fresh.next = touched.entries;
    entries_.push_back(fresh);
    index = static_cast<std::uint32_t>(entries_.size());
    touched.entries = index - 1;
  }
  Entry& entry = entries_[index - 1];
  Time& last = entry.time[0];
  if (entry.times > 0 && last.clock == pending.time.clock && last.now == pending.time.now) {
    // The one more that is free to be last.
    if (last.after >= pending.time.after && last.write_after >= pending.time.write_after) return;
    last.after = std::max(last.after, pending.time.after);
    last.write_after = std::max(last.write_after, pending.time.write_after);
  } else {
    std::copy_backward(entry.time, entry.time + kTimes - 1, entry.time + kTimes);
    last = pending.time;
    entry.times = static_cast<std::uint8_t>(std::min<unsigned>(entry.times + 1u, kTimes));
  }
  scan(entry);
}

void IdiomPredictor::flush(Record& record) {
  mature(record.read, 0);
  mature(record.write, 0);
}

void IdiomPredictor::flush_all() {
  for (std::size_t i = 0; i < variables_.size(); ++i)
    for (std::uint32_t r = variables_[i].records; r != kNone; r = records_[r].next)
      flush(records_[r]);
}

void IdiomPredictor::scan(const Entry& entry) {
  const SharedAccess& access = access_of(entry);
  for (std::uint32_t i = variables_[access.variable].entries; i != kNone; i = entries_[i].next) {
    const Entry& other = entries_[i];
    if (access_of(other).thread == access.thread) continue;
    relate(entry, other);
    relate(other, entry);
  }
}

void IdiomPredictor::relate(const Entry& from, const Entry& to) {
  if (pairs_.related(from.access, to.access)) return;
  AccessRole p = access_of(from).role, q = access_of(to).role;
  bool reads_q = q == AccessRole::read || q == AccessRole::update || q == AccessRole::lock ||
                 q == AccessRole::read_lock;
  bool writes_q = q == AccessRole::write || q == AccessRole::update;
  bool reads_p = p == AccessRole::read;
  bool good = (writes(p) && reads_q && possible(from, to, Dependence::read_after_write)) ||
              (writes(p) && writes_q && possible(from, to, Dependence::write_after_write)) ||
              (reads_p && writes_q && possible(from, to, Dependence::write_after_read)) ||
              (p == AccessRole::read_unlock && q == AccessRole::lock &&
               possible(from, to, Dependence::write_after_read));
  if (!good || !pairs_.relate(from.access, to.access)) return;
  IRoot root;
  root.idiom = 1;
  root.add(access_of(from));
  root.add(access_of(to));
  found_.add(root);
}

bool IdiomPredictor::possible(const Entry& from, const Entry& to, Dependence kind) const {
  return locks_allow(from, to, kind) && clocks_allow(from, to, kind);
}

bool IdiomPredictor::locks_allow(const Entry& from, const Entry& to, Dependence kind) const {
  const Lockset& locks = pairs_.lockset(pairs_.access(from.access).lockset);
  for (std::size_t l = 0; l < locks.size(); ++l)
    for (const NotedLock& other : pairs_.lockset(pairs_.access(to.access).lockset)) {
      if (!excludes(locks[l], other)) continue;
      std::uint8_t after = kind == Dependence::read_after_write ? from.write_after : from.after;
      bool before = kind == Dependence::write_after_read ? other.write_before : other.before;
      if ((after & (1u << l)) != 0 || before) return false;
    }
  return true;
}

bool IdiomPredictor::happens_before(const Entry& first, const Time& at, const Time& second) const {
  return clocks_.known(second.clock, access_of(first).thread) >= at.now;
}

bool IdiomPredictor::clocks_allow(const Entry& from, const Entry& to, Dependence kind) const {
  for (unsigned i = 0; i < from.times; ++i)
    for (unsigned j = 0; j < to.times; ++j) {
      const Time &p = from.time[i], &q = to.time[j];
      if (happens_before(to, q, p)) continue;
      if (!happens_before(from, p, q) || !broken_between(from, p, to, q, kind)) return true;
    }
  return false;
}

// Requires: P happens before Q. Whether something always comes between them.
bool IdiomPredictor::broken_between(const Entry& from, const Time& p, const Entry& to,
                                    const Time& q, Dependence kind) const {
  ThreadId source = access_of(from).thread, target = access_of(to).thread;
  std::uint32_t after = kind == Dependence::read_after_write ? p.write_after : p.after;
  if (after != kNever && clocks_.known(q.clock, source) >= after) return true;
  Snapshot before = kind == Dependence::write_after_read ? q.write_before : q.before;
  if (before != SyncClocks::kNone && clocks_.known(before, source) >= p.now) return true;
  for (std::uint32_t i = variables_[access_of(from).variable].entries; i != kNone;
       i = entries_[i].next) {
    const Entry& other = entries_[i];
    const SharedAccess& access = access_of(other);
    if (access.thread == source || access.thread == target) continue;
    bool breaks = writes(access.role) ||
                  (kind == Dependence::write_after_write && access.role == AccessRole::read);
    for (unsigned t = 0; breaks && t < other.times; ++t)
      if (happens_before(from, p, other.time[t]) && happens_before(other, other.time[t], q))
        return true;
  }
  return false;
}

// Whether some instances of two accesses are not ordered.
bool IdiomPredictor::concurrent(std::uint32_t first, std::uint32_t second) const {
  auto for_each = [&](std::uint32_t access, auto visit) {
    std::uint32_t variable = pairs_.access(access).first.variable;
    for (std::uint32_t i = variables_[variable].entries; i != kNone; i = entries_[i].next)
      for (unsigned t = 0; entries_[i].access == access && t < entries_[i].times; ++t)
        visit(entries_[i], entries_[i].time[t]);
  };
  bool found = false;
  for_each(first, [&](const Entry& a, const Time& p) {
    for_each(second, [&](const Entry& b, const Time& q) {
      found |= !happens_before(a, p, q) && !happens_before(b, q, p);
    });
  });
  return found;
}

// Clocks that nothing refers to any more are used again.
void IdiomPredictor::sweep() {
  auto mark = [&](const Time& time) {
    clocks_.mark(time.clock);
    clocks_.mark(time.before);
    clocks_.mark(time.write_before);
  };
  for (Snapshot birth : births_) clocks_.mark(birth);
  for (const Record& record : records_) {
    clocks_.mark(record.last);
    clocks_.mark(record.last_write);
    mark(record.read.time);
    mark(record.write.time);
  }
  for (const Entry& entry : entries_)
    for (unsigned t = 0; t < entry.times; ++t) mark(entry.time[t]);
  clocks_.sweep();
}

}  // namespace raddle::analysis
