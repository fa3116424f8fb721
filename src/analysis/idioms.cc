// SPDX-License-Identifier: Apache-2.0
//
// See idioms.h. Engine side. Compound idioms are found when their last access comes. It has the
// dependency C => D; the other one belongs to an access of the thread in the window, and leads from
// it (2 to 5) or to it (6). What has to be known of two accesses of a thread besides how far they
// are apart is which operation accessed the same variable before the second and after the first.
#include "analysis/idioms.h"

#include <algorithm>

#include "base/check.h"
#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::OpKind;

bool is_lock(const SharedAccess& access) { return is_lock_role(access.role); }

}  // namespace

template <class T>
std::uint32_t IdiomObserver::Ring<T>::push(const T& item) {
  if (count < kIdiomHistory)
    items.push_back(item);
  else
    items[count % kIdiomHistory] = item;
  return count++;
}

IdiomObserver::IdiomObserver(std::uint32_t window) : window_(window) {
  RADDLE_CHECK(window > 0 && window <= kIdiomHistory / 8);
}

void IdiomObserver::begin() {
  stream_.begin();
  found_.clear();
  for (Thread& thread : threads_) {
    thread.accesses.clear();
    thread.from.clear();
    thread.to.clear();
    thread.live_from.clear();
    thread.live_to.clear();
    thread.ended = false;
  }
  signature_numbers_.clear();
  exposed_.clear();
  on_forget();
}

void IdiomObserver::on_forget() {
  variables_.clear();
  records_.clear();
  free_records_ = kNoRecord;
}

void IdiomObserver::on_event(const wire::Event& event) {
  stream_.read(event, *this);
  if (event.kind != OpKind::thread_exit) return;
  Thread& ended = thread(event.thread);
  ended.ended = true;
  ended.from = {};  // it has no D any more
  ended.to = {};
  ended.live_from = {};
  ended.live_to = {};
}

IdiomObserver::Thread& IdiomObserver::thread(ThreadId id) {
  if (id >= threads_.size()) threads_.resize(std::size_t{id} + 1);
  return threads_[id];
}

IdiomObserver::Variable& IdiomObserver::variable(std::uint32_t id) {
  if (id >= variables_.size()) variables_.resize(std::size_t{id} + 1);
  return variables_[id];
}

std::uint32_t IdiomObserver::new_record(const Record& record) {
  if (free_records_ == kNoRecord) {
    records_.push_back(record);
    return static_cast<std::uint32_t>(records_.size() - 1);
  }
  std::uint32_t index = free_records_;
  free_records_ = records_[index].next;
  records_[index] = record;
  return index;
}

std::uint32_t IdiomObserver::record_of(Variable& variable, ThreadId thread) {
  for (std::uint32_t i = variable.records; i != kNoRecord; i = records_[i].next)
    if (records_[i].thread == thread) return i;
  Record fresh;
  fresh.thread = thread;
  fresh.next = variable.records;
  return variable.records = new_record(fresh);
}

void IdiomObserver::on_split(std::uint32_t old_variable, std::uint32_t new_variable) {
  variable(std::max(old_variable, new_variable));
  Variable part = variables_[old_variable];
  part.records = kNoRecord;
  for (std::uint32_t i = variables_[old_variable].records; i != kNoRecord; i = records_[i].next) {
    Record copy = records_[i];
    copy.next = part.records;
    part.records = new_record(copy);
  }
  variables_[new_variable] = part;
}

void IdiomObserver::on_access(const SharedAccess& access) {
  thread(access.thread);
  Variable& touched = variable(access.variable);
  std::uint32_t mine = record_of(touched, access.thread);
  Node node{access, records_[mine].last_op, kNowhere};
  before_.clear();
  signatures_.clear();
  depend(touched, records_[mine], access);
  std::erase_if(before_, [](const Node& from) { return from.access.vague; });
  for (const Node& from : before_) signatures_.push_back(signature(from, node));
  if (!access.wide) {
    for (std::size_t i = 0; i < before_.size() && !access.remembered; ++i) {
      if (before_[i].access.wide) continue;
      crossing(before_[i], node, signatures_[i]);
      parallel(before_[i], node, signatures_[i]);
    }
    Ring<Entry>& accesses = threads_[access.thread].accesses;
    node.slot = accesses.count;
    accesses.push({node});
    for (std::size_t i = 0; i < before_.size(); ++i)
      if (!before_[i].access.wide) connect(before_[i], node, signatures_[i]);
  }
  leave(touched, records_[mine], node);
}

// Lets the accesses at both ends of a dependency know.
void IdiomObserver::connect(const Node& from, const Node& to, std::uint32_t signature) {
  auto add = [&](Thread& self, Ring<Dependency>& ring, std::vector<std::uint32_t>& live,
                 std::uint32_t Entry::*last, const Node& mine, const Node& other) {
    Entry& entry = self.accesses.at(mine.slot);
    if (!ring.has(entry.*last)) {
      entry.*last = kNowhere;
      live.push_back(mine.slot);
      if (live.size() > 2 * kIdiomHistory) live.erase(live.begin(), live.end() - kIdiomHistory);
    }
    entry.*last = ring.push({other, signature, entry.*last});
  };
  Thread& source = threads_[from.access.thread];
  if (!source.ended && source.accesses.has(from.slot) && source.accesses.at(from.slot).next == 0 &&
      stream_.ops(from.access.thread) - from.access.op < window_)
    add(source, source.from, source.live_from, &Entry::from, from, to);
  Thread& self = threads_[to.access.thread];
  add(self, self.to, self.live_to, &Entry::to, to, from);
}

// Fills before_.
void IdiomObserver::depend(Variable& variable, const Record& mine, const SharedAccess& access) {
  switch (access.role) {
    case AccessRole::read:
    case AccessRole::read_lock:
    case AccessRole::update:
      if (variable.written && variable.write.access.thread != access.thread &&
          mine.seen_era != variable.era)
        before_.push_back(variable.write);
      if (access.role == AccessRole::update) depend_on_readers(variable, access.thread);
      break;
    case AccessRole::write:
    case AccessRole::lock:
      depend_on_readers(variable, access.thread);
      break;
    case AccessRole::unlock:
    case AccessRole::read_unlock:
      break;
  }
}

// Or on the last write, if it has no readers.
void IdiomObserver::depend_on_readers(Variable& variable, ThreadId thread) {
  bool read = false;
  for (std::uint32_t i = variable.records; i != kNoRecord; i = records_[i].next) {
    const Record& record = records_[i];
    if (record.read_era != variable.era) continue;
    read = true;
    if (record.thread != thread) before_.push_back(record.read);
  }
  if (!read && variable.written && variable.write.access.thread != thread && before_.empty())
    before_.push_back(variable.write);
}

// Leaves the access where later ones find it.
void IdiomObserver::leave(Variable& variable, Record& mine, const Node& node) {
  Ring<Entry>& accesses = threads_[mine.thread].accesses;
  if (mine.slot != kNowhere && accesses.has(mine.slot) && accesses.at(mine.slot).next == 0 &&
      mine.last_op != node.access.op)
    accesses.at(mine.slot).next = node.access.op;
  mine.slot = node.slot;
  mine.last_op = node.access.op;
  switch (node.access.role) {
    case AccessRole::read:
    case AccessRole::read_unlock:
      mine.read = node;
      mine.read_era = mine.seen_era = variable.era;
      break;
    case AccessRole::read_lock:
      mine.seen_era = variable.era;
      break;
    case AccessRole::lock:
      break;
    case AccessRole::write:
    case AccessRole::update:
    case AccessRole::unlock:
      ++variable.era;
      variable.write = node;
      variable.written = true;
      drop_ended(variable);
      break;
  }
}

// Threads that have ended and whose reads are over have no future.
void IdiomObserver::drop_ended(Variable& variable) {
  for (std::uint32_t* link = &variable.records; *link != kNoRecord;) {
    Record& record = records_[*link];
    if (!threads_[record.thread].ended) {
      link = &record.next;
      continue;
    }
    std::uint32_t index = *link;
    *link = record.next;
    record.next = free_records_;
    free_records_ = index;
  }
}

// Whether the thread of the node has let its variable alone since, until after operation `op`.
bool IdiomObserver::next_after(const Node& node, std::uint32_t op) {
  Ring<Entry>& accesses = threads_[node.access.thread].accesses;
  if (!accesses.has(node.slot)) return false;
  std::uint32_t next = accesses.at(node.slot).next;
  return next == 0 || next > op;
}

// Visits the accesses that the thread made less than a window ago and whose variables it has let
// alone since, and drops the others.
template <class F>
void IdiomObserver::for_each_live(Thread& self, std::vector<std::uint32_t>& live, std::uint32_t op,
                                  F visit) {
  std::size_t kept = 0;
  for (std::uint32_t slot : live) {
    if (!self.accesses.has(slot)) continue;
    const Entry& entry = self.accesses.at(slot);
    if (entry.next != 0 || op - entry.node.access.op >= window_) continue;
    live[kept++] = slot;
    visit(entry);
  }
  live.resize(kept);
}

// C => D has come. Idioms 2 to 5: the thread of D has made A, and A => B is known.
void IdiomObserver::crossing(const Node& c, const Node& d, std::uint32_t cd) {
  Thread& self = threads_[d.access.thread];
  for_each_live(self, self.live_from, d.access.op, [&](const Entry& entry) {
    const Node& a = entry.node;
    if (d.prev > a.access.op || a.access.op == d.access.op ||
        is_lock(a.access) != is_lock(d.access))
      return;
    for (std::uint32_t i = entry.from; self.from.has(i); i = self.from.at(i).earlier)
      if (self.from.at(i).other.access.thread == c.access.thread)
        crossing(a, self.from.at(i), c, d, cd);
  });
}

// Requires: A and D are good for an idiom, but perhaps they overlap.
void IdiomObserver::crossing(const Node& a, const Dependency& ab, const Node& c, const Node& d,
                             std::uint32_t cd) {
  const Node& b = ab.other;
  if (a.access.variable == d.access.variable) {
    if (b.slot == c.slot)
      expose(2, ab.signature, cd, {&a, &b, &d});
    else if (near(b.access.op, c.access.op))
      expose(3, ab.signature, cd, {&a, &b, &c, &d});
    return;
  }
  std::uint8_t idiom = near(b.access.op, c.access.op) ? 4 : near(c.access.op, b.access.op) ? 5 : 0;
  if (idiom == 0 || is_known(idiom, ab.signature, cd)) return;
  if (overlap(a.access, d.access) || overlap(b.access, c.access)) return;
  bool good = idiom == 4
                  ? !c.access.remembered
                  : !b.access.remembered && b.prev < c.access.op && next_after(c, b.access.op);
  if (good) expose(idiom, ab.signature, cd, {&a, &b, &c, &d});
}

// C => D has come. Idiom 6: the thread of D has made B, and A => B is known.
void IdiomObserver::parallel(const Node& c, const Node& d, std::uint32_t cd) {
  if (c.access.remembered) return;
  Thread& self = threads_[d.access.thread];
  for_each_live(self, self.live_to, d.access.op, [&](const Entry& entry) {
    const Node& b = entry.node;
    if (d.prev >= b.access.op || b.access.op == d.access.op ||
        is_lock(b.access) != is_lock(d.access))
      return;
    for (std::uint32_t i = entry.to; self.to.has(i); i = self.to.at(i).earlier) {
      const Node& a = self.to.at(i).other;
      if (a.access.thread != c.access.thread || a.access.variable == c.access.variable ||
          !near(a.access.op, c.access.op) || is_known(6, self.to.at(i).signature, cd))
        continue;
      if (c.prev < a.access.op && next_after(a, c.access.op) && !overlap(a.access, c.access) &&
          !overlap(b.access, d.access))
        expose(6, self.to.at(i).signature, cd, {&a, &b, &c, &d});
    }
  });
}

// Numbers the dependency as an iRoot of idiom 1 knows it.
std::uint32_t IdiomObserver::signature(const Node& from, const Node& to) {
  auto key = [](const Node& node) {
    return (std::uint64_t{node.access.site} << 8) | static_cast<std::uint8_t>(node.access.kind);
  };
  std::uint32_t& number = signature_numbers_[mix64(key(from) * 0x9e3779b97f4a7c15ull + key(to))];
  if (number == 0) {
    number = static_cast<std::uint32_t>(signature_numbers_.size());
    expose(1, number, 0, {&from, &to});
  }
  return number;
}

bool IdiomObserver::is_known(std::uint8_t idiom, std::uint32_t ab, std::uint32_t cd) const {
  const std::uint8_t* exposed = exposed_.find((std::uint64_t{ab} << 32) | cd);
  return exposed != nullptr && (*exposed & (1u << idiom)) != 0;
}

void IdiomObserver::expose(std::uint8_t idiom, std::uint32_t ab, std::uint32_t cd,
                           std::initializer_list<const Node*> nodes) {
  if (is_known(idiom, ab, cd)) return;
  if (found_.roots().size() < kRootsMax)
    exposed_[(std::uint64_t{ab} << 32) | cd] |= static_cast<std::uint8_t>(1u << idiom);
  IRoot root;
  root.idiom = idiom;
  for (const Node* node : nodes) root.add(node->access);
  found_.add(root);
}

// Two threads that wait for each other's locks.
void IdiomObserver::deadlocks(const facts::Run& run) {
  // The lock that `holder` has and `waiter` waits for, if it was taken near to where `holder`
  // waits.
  auto held_for = [&](const wire::ThreadReport& holder, const wire::ThreadReport& waiter) {
    const AccessStream::Held* found = nullptr;
    for (const AccessStream::Held& held : stream_.held(holder.id))
      if (held.where == waiter.where && near(held.op, stream_.ops(holder.id) + 1)) found = &held;
    return found;
  };
  auto waits = [](const wire::ThreadReport& report) {
    return report.state == wire::ThreadState::blocked && wire::takes_lock(report.op) &&
           report.frame_count > 0;
  };
  for (const wire::ThreadReport& first : run.threads)
    for (const wire::ThreadReport& second : run.threads) {
      if (first.id >= second.id || !waits(first) || !waits(second)) continue;
      if (first.where == second.where) continue;
      const AccessStream::Held* x = held_for(first, second);
      const AccessStream::Held* y = held_for(second, first);
      if (x == nullptr || y == nullptr) continue;
      found_.add({5,
                  4,
                  {{{x->site, x->kind, x->where, x->index},
                    {second.frames[0], second.op, second.where, stream_.events()},
                    {y->site, y->kind, y->where, y->index},
                    {first.frames[0], first.op, first.where, stream_.events()}}}});
    }
}

void IdiomObserver::finish(const facts::Run& run) {
  if (run.verdict.kind == wire::VerdictKind::deadlock) deadlocks(run);
}

}  // namespace raddle::analysis
