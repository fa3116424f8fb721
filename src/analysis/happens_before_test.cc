// SPDX-License-Identifier: Apache-2.0
//
// The happens-before hash: exchanging independent neighbours keeps it, exchanging dependent ones
// changes it, and on small random programs it counts exactly as many classes as brute force.
#include "analysis/happens_before.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpClass;
using wire::OpKind;

Event op(ThreadId thread, OpKind kind, std::uint32_t where, SiteId site = 1,
         std::uint16_t size = 4) {
  Event event{};
  event.thread = thread;
  event.kind = kind;
  event.where = wire::make_location(wire::Region::global, 1, where);
  event.site = site;
  event.size = wire::is_memory_access(kind) ? size : std::uint16_t{0};
  return event;
}

Event about(ThreadId thread, OpKind kind, ThreadId other) {
  Event event{};
  event.thread = thread;
  event.kind = kind;
  event.value = other;
  return event;
}

std::uint64_t hash_of(const std::vector<Event>& events) {
  HappensBefore analysis;
  analysis.begin();
  for (const Event& event : events) analysis.on_event(event);
  return analysis.hash();
}

bool exchange_matters(Event a, Event b) { return hash_of({a, b}) != hash_of({b, a}); }

TEST(HappensBefore, DependentNeighboursMatterAndOthersDoNot) {
  Event r1 = op(1, OpKind::plain_read, 0), r2 = op(2, OpKind::plain_read, 0);
  Event w1 = op(1, OpKind::plain_write, 0), w2 = op(2, OpKind::plain_write, 0);
  EXPECT_FALSE(exchange_matters(r1, r2));
  EXPECT_TRUE(exchange_matters(r1, w2));
  EXPECT_TRUE(exchange_matters(w1, w2));
  EXPECT_FALSE(exchange_matters(w1, op(2, OpKind::plain_write, 64)));
  EXPECT_TRUE(exchange_matters(w1, op(2, OpKind::atomic_load, 0)));
  EXPECT_TRUE(exchange_matters(op(1, OpKind::atomic_rmw, 0), op(2, OpKind::atomic_load, 0)));
  EXPECT_FALSE(exchange_matters(op(1, OpKind::atomic_load, 0), op(2, OpKind::plain_read, 0)));
  EXPECT_TRUE(exchange_matters(op(1, OpKind::mutex_lock, 0), op(2, OpKind::mutex_try_lock, 0)));
  EXPECT_FALSE(exchange_matters(op(1, OpKind::mutex_lock, 0), op(2, OpKind::mutex_lock, 40)));
  EXPECT_FALSE(exchange_matters(op(1, OpKind::rwlock_read, 0), op(2, OpKind::rwlock_read, 0)));
  EXPECT_TRUE(exchange_matters(op(1, OpKind::rwlock_read, 0), op(2, OpKind::rwlock_write, 0)));
  EXPECT_FALSE(exchange_matters(op(1, OpKind::mutex_lock, 0), w2));  // an object is not its bytes
  EXPECT_FALSE(exchange_matters(op(1, OpKind::yield, 0), w2));
}

TEST(HappensBefore, RangesOverlapByGranules) {
  Event range = op(1, OpKind::plain_write, 8, 1, 64);
  EXPECT_TRUE(exchange_matters(range, op(2, OpKind::plain_read, 68)));
  EXPECT_TRUE(exchange_matters(range, op(2, OpKind::plain_write, 40, 2, 100)));
  EXPECT_FALSE(exchange_matters(range, op(2, OpKind::plain_read, 72)));
  EXPECT_FALSE(exchange_matters(range, op(2, OpKind::plain_read, 0)));
}

TEST(HappensBefore, CreationAndJoinOrder) {
  // The write of the child comes after the creation and before the join: nothing to exchange.
  Event create = about(0, OpKind::thread_create, 1);
  Event join = about(0, OpKind::thread_join, 1);
  Event child = op(1, OpKind::plain_write, 0);
  EXPECT_NE(hash_of({create, child, join}), hash_of({create, join}));
  // After the join the parent's write differs from one that raced with the child's other write.
  Event parent = op(0, OpKind::plain_write, 64, 9);
  EXPECT_EQ(hash_of({create, child, parent, join}), hash_of({create, parent, child, join}));
  EXPECT_NE(hash_of({create, parent, child, join}), hash_of({create, child, join, parent}));
}

TEST(HappensBefore, ThreadsAreKnownByTheirCreationNotByTheirNumber) {
  // Two parents create one child each; the creations are independent but decide the numbers.
  auto run = [](ThreadId first, ThreadId second) {
    return std::vector<Event>{about(0, OpKind::thread_create, 1),
                              about(0, OpKind::thread_create, 2),
                              about(first, OpKind::thread_create, 3),
                              about(second, OpKind::thread_create, 4),
                              op(first == 1 ? 3 : 4, OpKind::plain_write, 0, 7),
                              op(first == 1 ? 4 : 3, OpKind::plain_write, 64, 8)};
  };
  EXPECT_EQ(hash_of(run(1, 2)), hash_of(run(2, 1)));
}

TEST(HappensBefore, WhenARememberedAccessIsPublishedDoesNotMatter) {
  Event old_write = op(1, OpKind::plain_write, 0, 5);
  old_write.flags = wire::kEventRemembered;
  Event lock = op(1, OpKind::mutex_lock, 64, 6);
  Event read = op(2, OpKind::plain_read, 0, 7);
  EXPECT_EQ(hash_of({lock, old_write, read}), hash_of({old_write, read, lock}));
  EXPECT_NE(hash_of({old_write, read, lock}), hash_of({read, lock}));
}

TEST(HappensBefore, ChosenValuesAreBehaviourAndLoadedOnesAreNot) {
  Event choice = op(1, OpKind::value, 0);
  Event other = choice;
  other.value = 1;
  EXPECT_NE(hash_of({choice}), hash_of({other}));
  Event load = op(1, OpKind::atomic_load, 0);
  Event loaded = load;
  loaded.value = 9;
  EXPECT_EQ(hash_of({load}), hash_of({loaded}));
}

TEST(HappensBefore, EveryRunBeginsAnew) {
  HappensBefore analysis;
  std::set<std::uint64_t> hashes;
  for (int run = 0; run < 1000; ++run) {
    analysis.begin();
    for (std::uint32_t i = 0; i < 40; ++i) analysis.on_event(op(1, OpKind::atomic_rmw, i * 8));
    hashes.insert(analysis.hash());
  }
  EXPECT_EQ(hashes.size(), 1u);
}

TEST(HappensBefore, ManyObjectsKeepTheirHistory) {
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < 50000; ++i) events.push_back(op(1, OpKind::mutex_lock, i * 8));
  std::vector<Event> early = events, late = events;
  Event other = op(2, OpKind::mutex_lock, 8 * 17);
  early.insert(early.begin(), other);
  late.push_back(other);
  EXPECT_NE(hash_of(early), hash_of(late));
}

// ---- brute force ----

bool depends(const Event& a, const Event& b) {
  if (a.thread == b.thread) return true;
  bool a_memory = wire::is_memory_access(a.kind), b_memory = wire::is_memory_access(b.kind);
  if (a_memory != b_memory || a.where != b.where) return false;
  if (a_memory) return wire::writes_memory(a.kind) || wire::writes_memory(b.kind);
  OpClass ca = wire::op_class(a.kind), cb = wire::op_class(b.kind);
  return (ca == OpClass::sync && (cb == OpClass::sync || cb == OpClass::shared)) ||
         (cb == OpClass::sync && ca == OpClass::shared);
}

// The least linearisation, by sites, of the trace's partial order: equal iff the traces are
// equivalent.
std::string canonical(std::vector<Event> rest) {
  std::string form;
  while (!rest.empty()) {
    std::size_t best = rest.size();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      bool minimal = true;
      for (std::size_t j = 0; j < i; ++j) minimal = minimal && !depends(rest[j], rest[i]);
      if (minimal && (best == rest.size() || rest[i].site < rest[best].site)) best = i;
    }
    form += std::to_string(rest[best].site) + ' ';
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return form;
}

void interleave(const std::vector<std::vector<Event>>& threads, std::vector<std::size_t>& at,
                std::vector<Event>& trace, std::vector<std::vector<Event>>& all) {
  bool done = true;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    if (at[t] == threads[t].size()) continue;
    done = false;
    trace.push_back(threads[t][at[t]++]);
    interleave(threads, at, trace, all);
    trace.pop_back();
    --at[t];
  }
  if (done) all.push_back(trace);
}

// Goal: the hash separates traces exactly as their canonical forms do, in both directions, for all
// interleavings of 60 random programs of three threads (at most 1680 interleavings each).
TEST(HappensBefore, CountsAsManyClassesAsBruteForce) {
  constexpr OpKind kKinds[] = {OpKind::plain_read,   OpKind::plain_write, OpKind::atomic_load,
                               OpKind::atomic_rmw,   OpKind::mutex_lock,  OpKind::rwlock_read,
                               OpKind::rwlock_write, OpKind::yield};
  std::size_t merged = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    SiteId site = 1;
    std::vector<std::vector<Event>> threads(3);
    for (ThreadId t = 0; t < 3; ++t)
      for (std::uint32_t n = 1 + rng.below(3); n > 0; --n)
        threads[t].push_back(op(t, kKinds[rng.below(8)], 8 * rng.below(2), site++, 8));
    std::vector<std::size_t> at(3, 0);
    std::vector<Event> trace;
    std::vector<std::vector<Event>> all;
    interleave(threads, at, trace, all);
    std::map<std::string, std::uint64_t> by_form;
    std::set<std::uint64_t> hashes;
    for (const auto& one : all) {
      auto [entry, fresh] = by_form.try_emplace(canonical(one), hash_of(one));
      ASSERT_EQ(entry->second, hash_of(one)) << "seed " << seed << " " << entry->first;
      hashes.insert(hash_of(one));
    }
    ASSERT_EQ(hashes.size(), by_form.size()) << "seed " << seed;
    merged += all.size() - by_form.size();
  }
  EXPECT_GT(merged, 1000u);
}

}  // namespace
}  // namespace raddle::analysis
