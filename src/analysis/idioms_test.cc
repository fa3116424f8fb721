// SPDX-License-Identifier: Apache-2.0
//
// The six idioms on hand-made traces, each shown and each of its conditions broken; and random
// short traces, whose idioms are known from the definitions by brute force.
#include "analysis/idioms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/rng.h"
#include "testing/trace_text.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

using trace_text::place;
using trace_text::text_of;
using trace_text::Texts;
using trace_text::trace;

Texts idioms_of(const std::vector<Event>& events, std::uint32_t window = 16) {
  IdiomObserver observer(window);
  // Twice: the second run must know nothing of the first.
  for (int turn = 0; turn < 2; ++turn) {
    observer.begin();
    for (const Event& event : events) observer.on_event(event);
    observer.finish({});
  }
  Texts texts;
  for (const IRoot& root : observer.exposed().roots()) {
    EXPECT_TRUE(texts.insert(text_of(root)).second) << "twice: " << text_of(root);
    for (unsigned i = 0; i < root.count; ++i) {
      const Event& event = events[root.parts[i].index];
      EXPECT_EQ(event.site, root.parts[i].site);
      EXPECT_EQ(event.kind, root.parts[i].kind);
      EXPECT_EQ(event.where, root.parts[i].where);
    }
  }
  return texts;
}

// Of one idiom only; 0: of all but the first.
Texts only(unsigned idiom, const std::string& text, std::uint32_t window = 16) {
  Texts all = idioms_of(trace(text), window), chosen;
  for (const std::string& one : all) {
    bool wanted = idiom == 0 ? one[0] != '1' : one[0] == static_cast<char>('0' + idiom);
    if (wanted) chosen.insert(one);
  }
  return chosen;
}

TEST(Idioms, DependenciesAreImmediate) {
  EXPECT_EQ(only(1, "1 w x; 2 r x"), (Texts{"1: 1>2"}));
  EXPECT_EQ(only(1, "1 r x; 2 w x"), (Texts{"1: 1>2"}));
  EXPECT_EQ(only(1, "1 w x; 2 w x"), (Texts{"1: 1>2"}));
  EXPECT_EQ(only(1, "1 r x; 2 r x"), Texts{});
  EXPECT_EQ(only(1, "1 w x; 1 r x"), Texts{});
  EXPECT_EQ(only(1, "1 w x; 2 r y"), Texts{});
  // Not past a write, not a second read, not past a reader; but all threads that have read.
  EXPECT_EQ(only(1, "1 w x; 1 w x; 2 r x"), (Texts{"1: 2>3"}));
  EXPECT_EQ(only(1, "1 w x; 2 r x; 2 r x"), (Texts{"1: 1>2"}));
  EXPECT_EQ(only(1, "1 w x; 2 r x; 2 w x"), (Texts{"1: 1>2"}));
  EXPECT_EQ(only(1, "1 w x; 1 r x; 2 w x"), (Texts{"1: 2>3"}));
  EXPECT_EQ(only(1, "1 r x; 2 r x; 3 r x; 3 w x"), (Texts{"1: 1>4", "1: 2>4"}));
  EXPECT_EQ(only(1, "1 r x; 1 r x; 2 w x"), (Texts{"1: 2>3"}));
  EXPECT_EQ(only(1, "1 w x; 2 r x; 3 w x"), (Texts{"1: 1>2", "1: 2>3"}));
}

TEST(Idioms, UpdatesReadAndWrite) {
  EXPECT_EQ(only(1, "1 w x; 2 u x; 1 r x"), (Texts{"1: 1>2", "1: 2>3"}));
  EXPECT_EQ(only(1, "1 w x; 2 r x; 3 u x"), (Texts{"1: 1>2", "1: 1>3", "1: 2>3"}));
  EXPECT_EQ(only(1, "1 w x; 2 r x; 2 u x"), (Texts{"1: 1>2"}));
  EXPECT_EQ(only(1, "1 w x; 2 cas! x; 1 cas! x"), (Texts{"1: 1>2"}));
  EXPECT_EQ(only(1, "1 w x; 2 cas x; 1 cas! x"), (Texts{"1: 1>2", "1: 2>3"}));
  EXPECT_EQ(only(1, "1 load x; 2 store x; 1 free x"), (Texts{"1: 1>2", "1: 2>3"}));
}

TEST(Idioms, LocksDependOnWhoeverGaveThemBack) {
  EXPECT_EQ(only(1, "1 lock m; 1 unlock m; 2 lock m; 2 unlock m; 1 lock m"),
            (Texts{"1: 2>3", "1: 4>5"}));
  EXPECT_EQ(only(1, "1 lock m; 1 unlock m; 2 try! m; 2 try m"), (Texts{"1: 2>4"}));
  // Taken twice, given back twice: once.
  EXPECT_EQ(only(1, "1 lock m; 1 lock m; 1 unlock m; 1 unlock m; 2 lock m"), (Texts{"1: 4>5"}));
  // Readers do not depend on each other.
  EXPECT_EQ(only(1, "1 rd l; 1 rwunlock l; 2 rd l; 2 rwunlock l"), Texts{});
  EXPECT_EQ(only(1, "1 wr l; 1 rwunlock l; 2 rd l; 3 rd l; 2 rwunlock l; 3 rwunlock l; 1 wr l"),
            (Texts{"1: 2>3", "1: 2>4", "1: 5>7", "1: 6>7"}));
  EXPECT_EQ(only(1, "1 wr l; 1 rwunlock l; 2 rd l; 2 rwunlock l; 2 rd l"), (Texts{"1: 2>3"}));
  // A lock is not the bytes it is made of.
  EXPECT_EQ(only(1, "1 lock m; 1 unlock m; 2 w m"), Texts{});
}

TEST(Idioms, TwoIsAnInterruptedPair) {
  EXPECT_EQ(only(0, "1 r x; 2 w x; 1 r x"), (Texts{"2: 1>2>3"}));
  EXPECT_EQ(only(0, "1 w x; 2 r x; 1 w x"), (Texts{"2: 1>2>3"}));
  EXPECT_EQ(only(0, "1 r x; 2 w x; 3 r x"), Texts{}) << "three threads";
  EXPECT_EQ(only(0, "1 r x; 2 w x; 3 w x; 1 r x"), Texts{}) << "another write between";
  EXPECT_EQ(only(2, "1 w x; 1 r x; 2 w x; 1 r x"), (Texts{"2: 2>3>4"})) << "the nearest one";
  EXPECT_EQ(only(0, "1 w x; 2 r x; 1 r x; 1 w x"), Texts{}) << "access between in one thread";
}

TEST(Idioms, ThreeMayHaveAccessesBetweenTheOthers) {
  EXPECT_EQ(only(0, "1 r x; 2 w x; 2 w x; 1 r x"), (Texts{"3: 1>2 3>4"}));
  EXPECT_EQ(only(3, "1 r x; 2 w x; 3 r x; 2 w x; 1 r x"), (Texts{"3: 1>2 4>5"}));
  EXPECT_EQ(only(3, "1 r x; 2 w x; 2 r x; 2 w x; 1 r x"), (Texts{"3: 1>2 4>5"}));
  EXPECT_EQ(only(3, "1 r x; 2 w x; 1 r x; 2 w x; 1 r x"), Texts{}) << "access between in T1";
  EXPECT_EQ(only(3, "1 r x; 2 w x; 3 w x; 1 r x"), Texts{}) << "three threads";
  EXPECT_EQ(only(3, "1 lock m; 1 unlock m; 2 lock m; 2 unlock m; 1 lock m"), (Texts{"3: 2>3 4>5"}));
}

TEST(Idioms, FourIsOfTwoVariables) {
  EXPECT_EQ(only(0, "1 w x; 2 r x; 2 w y; 1 r y"), (Texts{"4: 1>2 3>4"}));
  EXPECT_EQ(only(4, "1 w x; 2 r x; 2 w y; 1 r x; 1 r y"), Texts{}) << "X in T1";
  EXPECT_EQ(only(4, "1 w x; 1 r y; 2 r x; 2 w y; 1 r y"), Texts{}) << "Y in T1";
  EXPECT_EQ(only(4, "1 w x; 2 r x; 2 r y; 2 r x; 2 w y; 1 r y"), (Texts{"4: 1>2 5>6"}));
  EXPECT_EQ(only(0, "1 w x; 2 r x; 3 w y; 1 r y"), Texts{}) << "three threads";
  // Data and locks are not mixed.
  EXPECT_EQ(only(0, "1 w x; 2 r x; 2 lock m; 2 unlock m; 1 lock m"), Texts{});
  EXPECT_EQ(only(4, "1 lock m; 1 unlock m; 2 lock m; 2 unlock m; 2 lock n; 2 unlock n; 1 lock n"),
            (Texts{"4: 2>3 6>7"}));
}

TEST(Idioms, FiveCrosses) {
  EXPECT_EQ(only(0, "1 w x; 2 w y; 2 r x; 1 r y"), (Texts{"5: 1>3 2>4"}));
  EXPECT_EQ(only(0, "1 w x; 2 w y; 1 r y; 2 r x"), (Texts{"5: 1>4 2>3"}));
  EXPECT_EQ(only(0, "2 w y@9; 1 w x@8; 1 r y@7; 2 r x@6"), (Texts{"5: 8>6 9>7"}));
  EXPECT_EQ(only(5, "1 w x; 2 w y; 1 r x; 2 r x; 1 r y"), Texts{}) << "X in T1";
  EXPECT_EQ(only(5, "1 w x; 1 r y; 2 w y; 2 r x; 1 r y"), Texts{}) << "Y in T1";
  EXPECT_EQ(only(5, "1 w x; 2 w y; 2 r y; 2 r x; 1 r y"), Texts{}) << "Y in T2";
  EXPECT_EQ(only(5, "2 w y; 2 r x; 1 w x; 2 r x; 1 r y"), Texts{}) << "X in T2";
  EXPECT_EQ(only(5, "1 w x; 2 w y; 2 r x; 2 r y; 1 r y"), (Texts{"5: 1>3 2>5"})) << "later";
  EXPECT_EQ(only(5, "1 lock m; 1 unlock m; 2 lock n; 2 unlock n; 1 lock n; 1 unlock n; 2 lock m"),
            (Texts{"5: 2>7 4>5"}));
}

TEST(Idioms, SixGoesTheSameWay) {
  EXPECT_EQ(only(0, "1 w x; 1 w y; 2 r x; 2 r y"), (Texts{"6: 1>3 2>4"}));
  EXPECT_EQ(only(0, "1 w x; 2 r x; 1 w y; 2 r y"), (Texts{"6: 1>2 3>4"}));
  EXPECT_EQ(only(6, "1 w y; 1 w x; 2 r x; 2 r y"), Texts{}) << "crossed";
  EXPECT_EQ(only(6, "1 w x; 1 r x; 1 w y; 2 r x; 2 r y"), Texts{}) << "X in T1";
  EXPECT_EQ(only(6, "1 w x; 1 r y; 1 w y; 2 r x; 2 r y"), Texts{}) << "Y in T1";
  EXPECT_EQ(only(6, "1 w x; 1 w y; 2 r x; 2 r x; 2 r y"), Texts{}) << "X in T2";
  EXPECT_EQ(only(6, "1 w x; 1 w y; 1 r x; 2 r x; 2 r y"), (Texts{"6: 1>4 2>5"})) << "later";
  EXPECT_EQ(only(6, "1 w x; 3 w y; 2 r x; 2 r y"), Texts{}) << "three threads";
}

TEST(Idioms, TheWindowCountsOperationsOfTheThread) {
  const std::string posts1 = "1 post s; ", posts2 = "2 post s; ";
  // Each pair of accesses of one thread is two operations apart.
  struct Case {
    unsigned idiom;
    std::string text;
  };
  const Case cases[] = {
      {2, "1 r x; 2 w x; " + posts1 + "1 r x"},
      {3, "1 r x; 2 w x; " + posts1 + "2 w x; 1 r x"},
      {3, "1 r x; 2 w x; " + posts2 + "2 w x; 1 r x"},
      {4, "1 w x; 2 r x; " + posts1 + "2 w y; 1 r y"},
      {4, "1 w x; 2 r x; " + posts2 + "2 w y; 1 r y"},
      {5, "1 w x; 2 w y; " + posts1 + "2 r x; 1 r y"},
      {5, "1 w x; 2 w y; " + posts2 + "2 r x; 1 r y"},
      {6, "1 w x; " + posts1 + "1 w y; 2 r x; 2 r y"},
      {6, "1 w x; 1 w y; 2 r x; " + posts2 + "2 r y"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(only(c.idiom, c.text, 3).size(), 1u) << c.text;
    EXPECT_EQ(only(c.idiom, c.text, 2).size(), 0u) << c.text;
    EXPECT_EQ(only(1, c.text, 1), only(1, c.text)) << c.text;
  }
  // Other threads' operations do not count.
  EXPECT_EQ(only(2, "1 r x; 3 post s; 3 post s; 2 w x; 2 post s; 1 r x", 2).size(), 1u);
}

TEST(Idioms, VariablesAreBytesTouchedTogether) {
  EXPECT_EQ(only(1, "1 w x+0/1; 2 r x+1/1"), Texts{});
  EXPECT_EQ(only(1, "1 w x+0/1; 2 w x+1/1; 2 r x+0/1"), (Texts{"1: 1>3"}));
  // A range is read in part, and the rest later.
  EXPECT_EQ(only(1, "1 w x+0/8; 2 r x+0/4; 2 r x+4/4"), (Texts{"1: 1>2", "1: 1>3"}));
  EXPECT_EQ(only(1, "1 w x+0/4; 1 w x+4/4; 2 r x+0/8"), (Texts{"1: 1>3", "1: 2>3"}));
  EXPECT_EQ(only(1, "1 w x+2/4; 2 r x+0/4"), (Texts{"1: 1>2"}));
  EXPECT_EQ(only(1, "1 w x+4/8; 2 r x+8/2; 2 r x+4/2"), (Texts{"1: 1>2", "1: 1>3"}));
  // Two words of one access are not two variables of an idiom.
  EXPECT_EQ(only(0, "1 r x+0/16; 2 w x+0/16; 2 w x+0/16; 1 r x+0/16"), (Texts{"3: 1>2 3>4"}));
  // Large ranges: idiom 1 only.
  EXPECT_EQ(idioms_of(trace("1 r x+0/64; 2 w x+8/4; 1 r x+0/64")), (Texts{"1: 1>2", "1: 2>3"}));
  EXPECT_EQ(only(2, "1 r x; 2 w x; 1 r x+0/64; 1 r x"), Texts{}) << "but they are accesses";
}

TEST(Idioms, RememberedAccessesAreNeverTheSecondOfTwo) {
  EXPECT_EQ(only(0, "1 r x*; 2 w x; 1 r x"), (Texts{"2: 1>2>3"}));
  EXPECT_EQ(only(0, "1 w x; 2 r x; 2 w y*; 1 r y"), Texts{});
  EXPECT_EQ(only(0, "1 w x; 2 r x*; 2 w y; 1 r y"), (Texts{"4: 1>2 3>4"}));
}

TEST(Idioms, NothingDependsOnAnAccessWhoseSiteIsVague) {
  EXPECT_EQ(idioms_of(trace("1 w x**; 2 r x; 2 w x; 1 r x")), (Texts{"1: 3>4"}));
}

TEST(Idioms, ThreadsThatEndedTakeNoPlace) {
  IdiomObserver observer;
  observer.begin();
  Texts texts;
  // Two thousand threads, one after the other.
  for (unsigned t = 1; t <= 2000; ++t) {
    std::string n = std::to_string(t);
    for (Event event : trace(n + " r x@1; " + n + " w x@2; " + n + " exit"))
      observer.on_event(event);
  }
  observer.finish({});
  for (const IRoot& root : observer.exposed().roots()) texts.insert(text_of(root));
  EXPECT_EQ(texts, (Texts{"1: 2>1"}));
  EXPECT_LE(observer.entries(), 4u);
}

TEST(Idioms, DoesNotGrowWithTheRun) {
  IdiomObserver observer;
  observer.begin();
  const auto body = trace(
      "1 lock m@1; 1 r x@2; 1 w x@3; 1 unlock m@4; 2 lock m@1; 2 r x@2; 2 w x@3; 2 unlock m@4; "
      "1 w y@5; 2 r y@6; 2 u z@7; 1 u z@7; 1 post s@8; 2 r x+0/64@9; 1 w x+2/2@10; 3 r y@11");
  std::size_t early = 0, roots = 0;
  for (std::size_t i = 0; i < 1'000'000 / body.size(); ++i) {
    for (const Event& event : body) observer.on_event(event);
    if (i == 1000) early = observer.entries(), roots = observer.exposed().roots().size();
  }
  EXPECT_EQ(observer.entries(), early);
  EXPECT_EQ(observer.exposed().roots().size(), roots);
}

wire::ThreadReport waiting(ThreadId id, char lock, SiteId site) {
  wire::ThreadReport report{};
  report.id = id;
  report.state = wire::ThreadState::blocked;
  report.op = OpKind::mutex_lock;
  report.where = place(lock);
  report.frame_count = 1;
  report.frames[0] = site;
  return report;
}

TEST(Idioms, ADeadlockOfTwoIsAnIdiomFive) {
  auto exposed = [](const std::string& text, std::vector<wire::ThreadReport> threads,
                    std::uint32_t window = 16) {
    IdiomObserver observer(window);
    observer.begin();
    for (const Event& event : trace(text)) observer.on_event(event);
    facts::Run run;
    run.verdict.kind = wire::VerdictKind::deadlock;
    run.threads = std::move(threads);
    observer.finish(run);
    Texts texts;
    for (const IRoot& root : observer.exposed().roots()) texts.insert(text_of(root));
    return texts;
  };
  const char* taken = "1 lock m; 2 lock n";
  EXPECT_EQ(exposed(taken, {waiting(1, 'n', 11), waiting(2, 'm', 12)}), (Texts{"5: 1>12 2>11"}));
  EXPECT_EQ(exposed(taken, {waiting(2, 'm', 12), waiting(1, 'n', 11)}), (Texts{"5: 1>12 2>11"}));
  EXPECT_EQ(exposed(taken, {waiting(1, 'n', 11), waiting(2, 'k', 12)}), Texts{});
  EXPECT_EQ(exposed(taken, {waiting(1, 'n', 11)}), Texts{});
  EXPECT_EQ(exposed("1 lock m; 1 post s; 2 lock n", {waiting(1, 'n', 11), waiting(2, 'm', 12)}, 2),
            Texts{});
}

// -- the definitions, applied directly ------------------------------------------------------------

struct Access {
  unsigned thread;
  std::string op;
  char variable;
  unsigned number;  // of the thread's operations
};

class Oracle {
 public:
  Oracle(std::vector<Access> accesses, unsigned window)
      : all_(std::move(accesses)), window_(window) {}

  Texts idioms() const {
    Texts found;
    std::vector<std::pair<int, int>> deps;
    int n = static_cast<int>(all_.size());
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q)
        if (depends(p, q)) deps.push_back({p, q});
    for (auto [a, b] : deps) {
      found.insert("1: " + name(a) + ">" + name(b));
      for (auto [c, d] : deps) add_compound(a, b, c, d, found);
    }
    return found;
  }

 private:
  static std::string name(int i) { return std::to_string(i + 1); }
  bool is(int i, std::initializer_list<const char*> ops) const {
    return std::find(ops.begin(), ops.end(), all_[i].op) != ops.end();
  }
  bool reads(int i) const { return is(i, {"r", "u"}); }
  bool writes(int i) const { return is(i, {"w", "u"}); }
  bool same_variable(int i, int j) const { return all_[i].variable == all_[j].variable; }
  bool same_thread(int i, int j) const { return all_[i].thread == all_[j].thread; }
  bool sync(int i) const { return is(i, {"lock", "unlock"}); }

  template <class F>
  bool any_between(int p, int q, F f) const {
    for (int i = p + 1; i < q; ++i)
      if (same_variable(i, p) && f(i)) return true;
    return false;
  }

  bool depends(int p, int q) const {
    if (same_thread(p, q) || !same_variable(p, q)) return false;
    if (sync(p))
      return is(p, {"unlock"}) && is(q, {"lock"}) &&
             !any_between(p, q, [&](int i) { return is(i, {"unlock"}); });
    if (any_between(p, q, [&](int i) { return writes(i); })) return false;
    bool read_since = any_between(p, q, [&](int i) { return reads(i); });
    bool mine_since = any_between(p, q, [&](int i) { return reads(i) && same_thread(i, q); });
    bool theirs_since = any_between(p, q, [&](int i) { return reads(i) && same_thread(i, p); });
    if (writes(p) && reads(q) && !mine_since) return true;
    if (writes(p) && writes(q) && !read_since) return true;
    return !writes(p) && reads(p) && writes(q) && !theirs_since;
  }

  // Whether first and second are a pair of one thread in the window. `alone`: which lets the
  // variables of both alone between them.
  bool pair(int first, int second, bool alone) const {
    if (!same_thread(first, second) || first >= second) return false;
    if (all_[second].number - all_[first].number >= window_) return false;
    for (int i = first + 1; alone && i < second; ++i)
      if (same_thread(i, first) && (same_variable(i, first) || same_variable(i, second)))
        return false;
    return sync(first) == sync(second);
  }

  void add_compound(int a, int b, int c, int d, Texts& found) const {
    std::string both = ": " + name(a) + ">" + name(b) + " " + name(c) + ">" + name(d);
    std::string swapped = ": " + name(c) + ">" + name(d) + " " + name(a) + ">" + name(b);
    bool one = same_variable(a, d);
    if (one && b == c && pair(a, d, true))
      found.insert("2: " + name(a) + ">" + name(b) + ">" + name(d));
    if (pair(a, d, true) && pair(b, c, false)) found.insert((one ? "3" : "4") + both);
    if (!one && pair(a, d, true) && pair(c, b, true))
      found.insert("5" + (std::pair(a, b) < std::pair(c, d) ? both : swapped));
    if (!one && pair(a, c, true) && pair(b, d, true)) found.insert("6" + both);
  }

  std::vector<Access> all_;
  unsigned window_;
};

// A random trace; locks are only taken while nobody holds them, and given back by whoever does.
std::vector<Access> random_accesses(Rng& rng, unsigned length) {
  unsigned threads = 2 + rng.below(2);
  bool with_locks = rng.below(2) == 0, with_data = !with_locks || rng.below(2) == 0;
  std::map<char, unsigned> holder;
  std::map<unsigned, unsigned> numbers;
  std::vector<Access> accesses;
  while (accesses.size() < length) {
    unsigned thread = 1 + rng.below(threads);
    unsigned& number = numbers[thread];
    ++number;
    if (with_data && (!with_locks || rng.below(2) == 0)) {
      static const char* const kOps[] = {"r", "w", "u", "r", "w"};
      const char* op = kOps[rng.below(5)];
      accesses.push_back({thread, op, "xy"[rng.below(2)], number});
    } else if (with_locks) {
      char lock = "mn"[rng.below(2)];
      unsigned& held_by = holder[lock];
      if (held_by != 0 && held_by != thread) {
        --number;
        continue;
      }
      accesses.push_back({thread, held_by == 0 ? "lock" : "unlock", lock, number});
      held_by = held_by == 0 ? thread : 0;
    }
  }
  return accesses;
}

TEST(Idioms, AsTheDefinitionsSay) {
  Rng rng(20);
  std::map<char, std::size_t> shown;
  for (int turn = 0; turn < 20000; ++turn) {
    // Nearly all are short; a few show what is forgotten too early, or too late.
    bool is_long = turn % 1000 == 0;
    std::vector<Access> accesses = random_accesses(rng, is_long ? 150 : 3 + rng.below(8));
    unsigned window = 1 + rng.below(is_long ? 20 : 6);
    std::string text;
    for (const Access& access : accesses)
      text += (text.empty() ? "" : "; ") + std::to_string(access.thread) + " " + access.op + " " +
              access.variable;
    Texts expected = Oracle(accesses, window).idioms();
    for (const std::string& one : expected) ++shown[one[0]];
    ASSERT_EQ(idioms_of(trace(text), window), expected) << text << ", window " << window;
  }
  for (char idiom = '1'; idiom <= '6'; ++idiom) EXPECT_GT(shown[idiom], 500u) << idiom;
}

}  // namespace
}  // namespace raddle::analysis
