// SPDX-License-Identifier: Apache-2.0
//
// Lock-order cycles in hand-made event streams: which are potential deadlocks, and which are not.
// And toy programs, whose deadlocks are all known by brute force.
#include "analysis/lock_order.h"

#include <gtest/gtest.h>

#include <set>

#include "testing/toy_enumerate.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

// "1 lock A; 1 lock B": thread, operation, object. With "!" after it the operation failed.
struct Line {
  ThreadId thread;
  OpKind kind;
  char object;
  bool failed = false;
  std::uint8_t order = __ATOMIC_RELAXED;
};

constexpr OpKind kLock = OpKind::mutex_lock;
constexpr OpKind kUnlock = OpKind::mutex_unlock;

wire::Location place(char object) {
  return wire::make_location(wire::Region::global, 0, static_cast<std::uint32_t>(object));
}

// Every line has a site of its own. The object of operations on threads is the other one's number.
std::vector<Event> events_of(const std::vector<Line>& lines) {
  std::vector<Event> events;
  for (const Line& line : lines) {
    Event event{};
    event.thread = line.thread;
    event.kind = line.kind;
    event.site = static_cast<SiteId>(100 + events.size());
    event.step = static_cast<StepIndex>(events.size());
    event.flags = line.failed ? wire::kEventFailed : 0;
    event.order = line.order;
    if (wire::op_class(line.kind) == wire::OpClass::thread)
      event.value = wire::pack_caller(0, static_cast<ThreadId>(line.object - '0'));
    else
      event.where = place(line.object);
    events.push_back(event);
  }
  return events;
}

Findings cycles_of(const std::vector<Event>& events) {
  LockOrder analysis;
  Findings found;
  facts::Run run;
  run.verdict.kind = wire::VerdictKind::exited;
  // Twice: the second run must know nothing of the first.
  for (int turn = 0; turn < 2; ++turn) {
    found.clear();
    analysis.begin();
    for (const Event& event : events) analysis.on_event(event);
    analysis.finish(run, found);
  }
  return found;
}
Findings cycles_of(const std::vector<Line>& lines) { return cycles_of(events_of(lines)); }

std::vector<Line> nested(ThreadId thread, const std::string& locks) {
  std::vector<Line> lines;
  for (char lock : locks) lines.push_back({thread, kLock, lock});
  for (auto lock = locks.rbegin(); lock != locks.rend(); ++lock)
    lines.push_back({thread, kUnlock, *lock});
  return lines;
}

std::vector<Line> operator+(std::vector<Line> a, const std::vector<Line>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(LockOrder, OppositeOrdersAreACycle) {
  for (bool swapped : {false, true}) {
    auto first = nested(1, "AB"), second = nested(2, "BA");
    Findings found = cycles_of(swapped ? second + first : first + second);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].thread, 1u);
    ASSERT_EQ(found[0].events.size(), 4u);
    // Thread 1 holds A and wants B, thread 2 holds B and wants A, whichever came first.
    const char wheres[] = {'A', 'B', 'B', 'A'};
    SiteId base = swapped ? 104 : 100;
    SiteId other = swapped ? 100 : 104;
    const SiteId sites[] = {base, base + 1, other, other + 1};
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(found[0].events[i].where, place(wheres[i]));
      EXPECT_EQ(found[0].events[i].site, sites[i]);
      EXPECT_EQ(found[0].events[i].thread, i < 2 ? 1u : 2u);
    }
  }
}

TEST(LockOrder, OneOrderOrOneThreadIsNone) {
  EXPECT_TRUE(cycles_of(nested(1, "AB") + nested(2, "AB") + nested(3, "AB")).empty());
  EXPECT_TRUE(cycles_of(nested(1, "AB") + nested(1, "BA")).empty());
  EXPECT_TRUE(cycles_of(nested(1, "A") + nested(1, "B") + nested(2, "BA")).empty());
  // Two of three edges are one thread's: it cannot be in two places.
  EXPECT_TRUE(cycles_of(nested(1, "AB") + nested(1, "BC") + nested(2, "CA")).empty());
}

TEST(LockOrder, AGateKeepsThreadsApart) {
  EXPECT_TRUE(cycles_of(nested(1, "GAB") + nested(2, "GBA")).empty());
  EXPECT_TRUE(cycles_of(nested(2, "HGBA") + nested(1, "GAB")).empty());
  EXPECT_EQ(cycles_of(nested(1, "GAB") + nested(2, "HBA")).size(), 1u) << "two gates are none";
  EXPECT_EQ(cycles_of(nested(1, "GAB") + nested(2, "BA")).size(), 1u) << "one is outside";
  // The gate was given back before the second lock was asked for.
  std::vector<Line> early = {{1, kLock, 'G'}, {1, kLock, 'A'},   {1, kUnlock, 'G'},
                             {1, kLock, 'B'}, {1, kUnlock, 'B'}, {1, kUnlock, 'A'}};
  EXPECT_EQ(cycles_of(early + nested(2, "GBA")).size(), 1u);
}

TEST(LockOrder, ThreeAndFourLocksButNotFive) {
  EXPECT_EQ(cycles_of(nested(1, "AB") + nested(2, "BC") + nested(3, "CA")).size(), 1u);
  EXPECT_EQ(cycles_of(nested(3, "AB") + nested(1, "BC") + nested(2, "CA")).size(), 1u);
  EXPECT_TRUE(cycles_of(nested(1, "AB") + nested(2, "BC") + nested(3, "AC")).empty());
  auto four = nested(1, "AB") + nested(2, "BC") + nested(3, "CD");
  EXPECT_EQ(cycles_of(four + nested(4, "DA")).size(), 1u);
  EXPECT_TRUE(cycles_of(four + nested(4, "DE") + nested(5, "EA")).empty());
}

TEST(LockOrder, CreationAndJoinOrderThreads) {
  Line create{0, OpKind::thread_create, '1'}, join{0, OpKind::thread_join, '1'};
  EXPECT_TRUE(cycles_of(nested(0, "AB") + std::vector{create} + nested(1, "BA")).empty());
  EXPECT_TRUE(cycles_of(std::vector{create} + nested(1, "BA") + std::vector{join} + nested(0, "AB"))
                  .empty());
  EXPECT_EQ(
      cycles_of(std::vector{create} + nested(1, "BA") + nested(0, "AB") + std::vector{join}).size(),
      1u);
  // Thread 2 is created after thread 1 has been joined.
  Line second{0, OpKind::thread_create, '2'};
  auto one = std::vector{create} + nested(1, "AB");
  EXPECT_TRUE(cycles_of(one + std::vector{join, second} + nested(2, "BA")).empty());
  EXPECT_EQ(cycles_of(one + std::vector{second, join} + nested(2, "BA")).size(), 1u);
  // What a thread has done before it created another one is not what it does afterwards.
  EXPECT_EQ(
      cycles_of(nested(0, "AB") + std::vector{create} + nested(1, "BA") + nested(0, "AB")).size(),
      1u);
}

TEST(LockOrder, SignalsOrderThreadsAndLocksDoNot) {
  struct Pair {
    OpKind give, take;
  };
  const Pair pairs[] = {{OpKind::sem_post, OpKind::sem_wait},
                        {OpKind::cond_broadcast, OpKind::cond_wake},
                        {OpKind::cond_signal, OpKind::cond_wake},
                        {OpKind::barrier_arrive, OpKind::barrier_leave},
                        {OpKind::once_leave, OpKind::once_enter}};
  for (const Pair& pair : pairs) {
    auto by = [&](char other, bool failed = false) {
      return cycles_of(nested(1, "AB") + std::vector<Line>{{1, pair.give, 'S'}} +
                       std::vector<Line>{{2, pair.take, other, failed}} + nested(2, "BA"));
    };
    EXPECT_TRUE(by('S').empty()) << wire::op_word(pair.give);
    EXPECT_EQ(by('R').size(), 1u) << wire::op_word(pair.give);
    EXPECT_EQ(by('S', true).size(), 1u) << wire::op_word(pair.give);
  }
  EXPECT_EQ(cycles_of(nested(1, "AB") + nested(1, "M") + nested(2, "M") + nested(2, "BA")).size(),
            1u);
}

TEST(LockOrder, ALastArrivalIsALeaveToo) {
  Line first{1, OpKind::barrier_arrive, 'S'}, last{2, OpKind::barrier_arrive, 'S'};
  EXPECT_TRUE(cycles_of(nested(1, "AB") + std::vector{first, last} + nested(2, "BA")).empty());
  EXPECT_EQ(cycles_of(nested(1, "AB") + std::vector{last} + nested(2, "BA")).size(), 1u);
}

TEST(LockOrder, LoadsThatAcquireWhatWasReleasedOrderThreads) {
  auto by = [](OpKind give, int released, OpKind take, int acquired) {
    Line first{1, give, 'x', false, static_cast<std::uint8_t>(released)};
    Line second{2, take, 'x', false, static_cast<std::uint8_t>(acquired)};
    return cycles_of(nested(1, "AB") + std::vector{first, second} + nested(2, "BA")).size();
  };
  constexpr OpKind kLoad = OpKind::atomic_load, kStore = OpKind::atomic_store;
  constexpr OpKind kUpdate = OpKind::atomic_rmw;
  EXPECT_EQ(by(kStore, __ATOMIC_RELEASE, kLoad, __ATOMIC_ACQUIRE), 0u);
  EXPECT_EQ(by(kStore, __ATOMIC_SEQ_CST, kLoad, __ATOMIC_SEQ_CST), 0u);
  EXPECT_EQ(by(kUpdate, __ATOMIC_ACQ_REL, kLoad, __ATOMIC_ACQUIRE), 0u);
  EXPECT_EQ(by(kStore, __ATOMIC_RELAXED, kLoad, __ATOMIC_ACQUIRE), 1u);
  EXPECT_EQ(by(kStore, __ATOMIC_RELEASE, kLoad, __ATOMIC_RELAXED), 1u);
  EXPECT_EQ(by(kUpdate, __ATOMIC_SEQ_CST, kUpdate, __ATOMIC_SEQ_CST), 1u) << "a counter";
}

TEST(LockOrder, ALockTakenAgainAddsNothing) {
  std::vector<Line> recursive = {{1, kLock, 'A'},   {1, kLock, 'B'},   {1, kLock, 'A'},
                                 {1, kUnlock, 'A'}, {1, kUnlock, 'B'}, {1, kUnlock, 'A'}};
  EXPECT_TRUE(cycles_of(recursive + nested(2, "AB")).empty());
  EXPECT_EQ(cycles_of(recursive + nested(2, "BA")).size(), 1u);
  // Still held after the inner unlock.
  std::vector<Line> deep = {{1, kLock, 'A'}, {1, kLock, 'A'}, {1, kUnlock, 'A'}, {1, kLock, 'B'}};
  EXPECT_EQ(cycles_of(deep + nested(2, "BA")).size(), 1u);
}

TEST(LockOrder, TriesAndDeadlinesDoNotWait) {
  for (OpKind kind : {OpKind::mutex_try_lock, OpKind::mutex_timed_lock}) {
    std::vector<Line> tries = {
        {1, kLock, 'A'}, {1, kind, 'B'}, {1, kUnlock, 'B'}, {1, kUnlock, 'A'}};
    EXPECT_TRUE(cycles_of(tries + nested(2, "BA")).empty());
    // But what they got is held.
    std::vector<Line> got = {{1, kind, 'A'}, {1, kLock, 'B'}, {1, kUnlock, 'B'}};
    EXPECT_EQ(cycles_of(got + nested(2, "BA")).size(), 1u);
    std::vector<Line> refused = {{1, kind, 'A', true}, {1, kLock, 'B'}, {1, kUnlock, 'B'}};
    EXPECT_TRUE(cycles_of(refused + nested(2, "BA")).empty());
  }
}

TEST(LockOrder, ReadersWaitForWritersOnly) {
  auto with = [](OpKind first, OpKind second, OpKind third, OpKind fourth) {
    constexpr OpKind kEnd = OpKind::rwlock_unlock;
    return cycles_of({{1, first, 'A'},
                      {1, second, 'B'},
                      {1, kEnd, 'B'},
                      {1, kEnd, 'A'},
                      {2, third, 'B'},
                      {2, fourth, 'A'},
                      {2, kEnd, 'A'},
                      {2, kEnd, 'B'}})
        .size();
  };
  constexpr OpKind kRead = OpKind::rwlock_read, kWrite = OpKind::rwlock_write;
  EXPECT_EQ(with(kRead, kRead, kRead, kRead), 0u);
  EXPECT_EQ(with(kWrite, kRead, kRead, kRead), 0u) << "B is only read";
  EXPECT_EQ(with(kWrite, kRead, kRead, kWrite), 0u);
  EXPECT_EQ(with(kRead, kWrite, kRead, kRead), 0u) << "A is only read";
  EXPECT_EQ(with(kRead, kWrite, kRead, kWrite), 1u);
  EXPECT_EQ(with(kWrite, kRead, kWrite, kRead), 1u);
  EXPECT_EQ(with(kWrite, kWrite, kWrite, kWrite), 1u);
}

TEST(LockOrder, ReadersOfAGateAreNotKeptApart) {
  auto with = [](OpKind gate) {
    std::vector<Line> first = {{1, gate, 'G'}}, second = {{2, gate, 'G'}};
    std::vector<Line> end = {{1, OpKind::rwlock_unlock, 'G'}};
    return cycles_of(first + nested(1, "AB") + end + second + nested(2, "BA")).size();
  };
  EXPECT_EQ(with(OpKind::rwlock_read), 1u);
  EXPECT_EQ(with(OpKind::rwlock_write), 0u);
}

TEST(LockOrder, WaitingOnAConditionTakesTheMutexBack) {
  // What a wait does: gives the mutex back, and takes it again while A is still held.
  std::vector<Line> wait = {{1, kLock, 'M'},
                            {1, kLock, 'A'},
                            {1, OpKind::cond_wait, 'C'},
                            {1, kUnlock, 'M'},
                            {1, OpKind::cond_wake, 'C'},
                            {1, kLock, 'M'}};
  EXPECT_EQ(cycles_of(wait + nested(2, "MA")).size(), 1u);
}

TEST(LockOrder, ADeadlockedRunSpeaksForItself) {
  LockOrder analysis;
  Findings found;
  facts::Run run;
  run.verdict.kind = wire::VerdictKind::deadlock;
  analysis.begin();
  for (const Event& event : events_of(nested(1, "AB") + nested(2, "BA"))) analysis.on_event(event);
  analysis.finish(run, found);
  EXPECT_TRUE(found.empty());
}

TEST(LockOrder, TheSameCycleIsReportedOnceAndManyAreBounded) {
  std::vector<Event> events;
  for (int turn = 0; turn < 50; ++turn)
    for (const Event& event : events_of(nested(1, "AB") + nested(2, "BA"))) events.push_back(event);
  EXPECT_EQ(cycles_of(events).size(), 1u);
  // Every turn at another place.
  std::vector<Line> many;
  for (int turn = 0; turn < 1000; ++turn) many = many + nested(1, "AB") + nested(2, "BA");
  Findings found = cycles_of(many);
  EXPECT_EQ(found.size(), kCyclesMax);
  Findings again = cycles_of(many);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(cycle_key(found[i]), cycle_key(again[i]));
}

// A thread that posts between its turns makes every turn another edge.
TEST(LockOrder, ALoopDoesNotFillTheTable) {
  std::vector<Event> events;
  for (int turn = 0; turn < 5000; ++turn)
    for (const Event& event :
         events_of(nested(1, "XY") + std::vector<Line>{{1, OpKind::sem_post, 'S'}}))
      events.push_back(event);
  for (const Event& event : events_of(nested(2, "AB") + nested(3, "BA"))) events.push_back(event);
  EXPECT_EQ(cycles_of(events).size(), 1u);
}

TEST(LockOrder, ManyLocksAndThreadsStayWithinBounds) {
  std::vector<Event> events;
  auto add = [&](ThreadId thread, OpKind kind, std::uint32_t offset, ThreadId other = 0) {
    Event event{};
    event.thread = thread;
    event.kind = kind;
    event.where = wire::make_location(wire::Region::heap, 1, offset);
    event.value = wire::pack_caller(0, other);
    events.push_back(event);
  };
  for (std::uint32_t i = 0; i < 2000; ++i) add(0, kLock, i);
  for (std::uint32_t i = 2000; i-- > 0;) add(0, kUnlock, i);
  for (ThreadId i = 1; i < 5000; ++i) add(0, OpKind::thread_create, 0, i);
  for (ThreadId i = 1; i < 5000; ++i) add(i, kLock, 1);
  for (ThreadId i = 1; i < 5000; ++i) add(0, OpKind::thread_join, 0, i);
  EXPECT_TRUE(cycles_of(events).empty());
}

TEST(LockOrder, KeysForgetWhichThreadIsWhichButNotThePlaces) {
  Findings one = cycles_of(nested(1, "AB") + nested(2, "BA"));
  Findings exchanged = cycles_of(nested(2, "AB") + nested(1, "BA"));
  Findings elsewhere = cycles_of(nested(3, "C") + nested(1, "AB") + nested(2, "BA"));
  EXPECT_EQ(cycle_key(one[0]), cycle_key(exchanged[0]));
  EXPECT_NE(cycle_key(one[0]), cycle_key(elsewhere[0]));
}

// --- against brute force ---

std::vector<Event> events_of(const toy::Outcome& run) {
  std::vector<Event> events;
  for (const toy::Step& step : run.steps) {
    Event event{};
    event.thread = step.thread;
    event.kind = step.what.kind;
    event.site = step.what.site;
    event.step = static_cast<StepIndex>(events.size());
    event.flags = step.failed ? wire::kEventFailed : 0;
    event.where =
        wire::make_location(wire::Region::global, 0, static_cast<std::uint32_t>(step.what.address));
    event.value = wire::pack_caller(0, step.what.other);
    events.push_back(event);
  }
  return events;
}

std::vector<std::uint32_t> locks_of(const facts::Evidence& cycle) {
  std::set<std::uint32_t> locks;
  for (wire::Location lock : cycle_locks(cycle)) locks.insert(lock.offset);
  return {locks.begin(), locks.end()};
}

// Two or three threads that each take two or three of three locks, nested or one after the other.
std::string random_lockers(std::uint64_t seed) {
  Rng rng(seed);
  std::string text;
  std::uint32_t threads = 2 + rng.below(2);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    text += (thread == 0 ? "" : " | ") + std::string("T") + std::to_string(thread) + ": ";
    std::string order = "abc";
    for (std::size_t i = 2; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
    std::size_t depth = threads == 3 ? 2 : 2 + rng.below(2);
    std::string end;
    for (std::size_t i = 0; i < depth; ++i) {
      text += std::string("lock ") + order[i] + "; ";
      end = std::string("unlock ") + order[i] + "; " + end;
      if (i == 0 && rng.below(4) == 0) {
        text += end;
        end.clear();
      }
    }
    text += end + "step";
  }
  return text;
}

// Every deadlock of these programs is a cycle of locks. Each is predicted from some complete run,
// and without one nothing is predicted.
TEST(LockOrder, PredictsExactlyTheDeadlocksOfLockersByBruteForce) {
  unsigned deadlocking = 0, harmless = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    std::string text = random_lockers(seed);
    toy::Program program = toy::program(text);
    bool deadlocks = false;
    std::set<std::vector<std::uint32_t>> predicted;
    ASSERT_TRUE(toy::for_each_run(program, {}, 1'000'000, [&](const toy::Outcome& run) {
      if (run.end == toy::End::deadlock) deadlocks = true;
      if (run.end != toy::End::complete) return;
      for (const facts::Evidence& cycle : cycles_of(events_of(run)))
        predicted.insert(locks_of(cycle));
    }));
    EXPECT_EQ(deadlocks, !predicted.empty()) << text;
    (deadlocks ? deadlocking : harmless) += 1;
  }
  EXPECT_GT(deadlocking, 20u);
  EXPECT_GT(harmless, 20u);
}

}  // namespace
}  // namespace raddle::analysis
