// SPDX-License-Identifier: Apache-2.0
//
// Interleaving idioms that a run has shown (Yu, Narayanasamy, Pereira, Pokam, "Maple: A
// Coverage-Driven Testing Tool for Multithreaded Programs", OOPSLA 2012, section 2). Engine side;
// looks at every event of every run.
//
// P => Q: an immediate dependency of accesses to one variable by two threads. Q reads: P is the
// last write before it, and Q's thread has not read the variable since. Q writes: P is its thread's
// last read since the last write; if nobody has read since, P is that write. An update does both.
// Of locks: P gives back what Q takes; reading and reading do not depend on each other. See
// access_stream.h for what accesses and variables are.
//
//   1   A_X => B_X
//   2   A_X => B_X => C_X             A, C by one thread
//   3   A_X => B_X .. C_X => D_X      A, D by one thread, B, C in this order by another
//   4   A_X => B_X .. C_Y => D_Y      the same
//   5   A_X => B_X,   C_Y => D_Y      A, D in this order by one thread, C, B in this order by
//                                     another: they cross
//   6   A_X => B_X,   C_Y => D_Y      A, C in this order by one thread, B, D in this order by
//                                     another: both go the same way
//
// Two accesses of one thread in 2 to 6 are less than `window` operations of the thread apart. They
// are both to data or both to locks; where X and Y are two, they have no byte in common. Between A
// and D (A and C in 2) their thread does not access X or Y; the same holds for both threads in 5
// and 6, but B and C in 3 and 4 may have anything between them. 5 says the same of (A, B, C, D) and
// (C, D, A, B): the smaller one stands for both.
//
// A deadlock of two threads is an idiom 5 too, of four lock operations: A took X, where D waits for
// Y; C took Y, where B waits for X.
//
// An iRoot is an idiom and the sites and kinds of its accesses; which threads and variables these
// were does not matter.
//
// Deviations: Maple's window is 1000 instructions, which nobody counts here; an operation is what
// the stream of events holds for a thread, that is accesses to shared data and synchronisation, so
// the default is kIdiomWindow. Repeated identical accesses are not in the stream; it is the first
// one that counts. Maple's program checks the window of B and C in idiom 5 only and ignores idiom
// 6; section 2.1 of the paper knows no such exceptions. It counts both forms of 5. An access that
// was made before its data became shared has the place in its thread where it became known: it is
// never the second of two; if it is vague (wire::kEventVague), nothing is said to depend on it.
// Accesses to large ranges (SharedAccess::wide) are in idiom 1 only.
//
// Memory is bounded (kRootsMax, kVariablesMax, and rings of a fixed number of the last accesses and
// dependencies of a thread): whoever makes kIdiomHistory accesses while others wait for the rest of
// an idiom has its part in it forgotten.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/access_stream.h"
#include "analysis/epoch_map.h"
#include "analysis/iroot.h"
#include "facts/run.h"

namespace raddle::analysis {

inline constexpr std::uint32_t kIdiomWindow = 64;
inline constexpr std::uint32_t kIdiomHistory = 512;  // a power of two, at least 8 windows

class IdiomObserver final : private AccessSink {
 public:
  // Requires: 0 < window <= kIdiomHistory / 8. A window of 1 allows idiom 1 only.
  explicit IdiomObserver(std::uint32_t window = kIdiomWindow);

  void begin();
  void on_event(const wire::Event& event);
  void finish(const facts::Run& run);

  // Those exposed since begin(); all of them after finish().
  const IRootSet& exposed() const { return found_; }
  // What is remembered of threads and variables, to show that it does not grow with the run.
  std::size_t entries() const { return records_.size() + variables_.size(); }

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffff;
  static constexpr std::uint32_t kNoRecord = 0xffffffff;

  struct Node {
    SharedAccess access;
    std::uint32_t prev = 0;  // the thread's operation that accessed the variable before, or 0
    std::uint32_t slot = kNowhere;  // among the accesses of its thread
  };
  struct Entry {
    Node node;
    std::uint32_t next = 0;         // the thread's operation that accessed the variable next, or 0
    std::uint32_t from = kNowhere;  // the last dependency that leads from this access
    std::uint32_t to = kNowhere;    // the same, to this access
  };
  struct Dependency {
    Node other;  // the access at its other end
    std::uint32_t signature = 0;
    std::uint32_t earlier = kNowhere;  // of the same access
  };
  // Of the last things put in. Numbers go up for ever.
  template <class T>
  struct Ring {
    std::vector<T> items;
    std::uint32_t count = 0;

    bool has(std::uint32_t number) const {
      return number < count && count - number <= kIdiomHistory;
    }
    T& at(std::uint32_t number) { return items[number % kIdiomHistory]; }
    std::uint32_t push(const T& item);
    void clear() {
      items.clear();
      count = 0;
    }
  };
  struct Thread {
    Ring<Entry> accesses;
    Ring<Dependency> from, to;  // of its accesses
    // Accesses with such dependencies whose variables the thread has not accessed since, all of
    // those in the window and perhaps others.
    std::vector<std::uint32_t> live_from, live_to;
    bool ended = false;
  };
  // What a thread did to a variable.
  struct Record {
    Node read;                      // its last one, of a lock: read_unlock
    std::uint32_t read_era = 0;     // of the variable, when it did
    std::uint32_t seen_era = 0;     // of the variable, when it read or took it last
    std::uint32_t last_op = 0;      // its last access
    std::uint32_t slot = kNowhere;  // of that
    std::uint32_t next = kNoRecord;
    ThreadId thread = 0;
  };
  struct Variable {
    Node write;  // of a lock: unlock
    bool written = false;
    std::uint32_t era = 1;  // goes up with each write
    std::uint32_t records = kNoRecord;
  };

  void on_access(const SharedAccess& access) override;
  void on_split(std::uint32_t old_variable, std::uint32_t new_variable) override;
  void on_forget() override;

  Thread& thread(ThreadId id);
  Variable& variable(std::uint32_t id);
  std::uint32_t record_of(Variable& variable, ThreadId thread);
  std::uint32_t new_record(const Record& record);
  void depend(Variable& variable, const Record& mine, const SharedAccess& access);
  void depend_on_readers(Variable& variable, ThreadId thread);
  void leave(Variable& variable, Record& mine, const Node& node);
  void drop_ended(Variable& variable);

  bool near(std::uint32_t first, std::uint32_t second) const {
    return first < second && second - first < window_;
  }
  bool next_after(const Node& node, std::uint32_t op);
  void connect(const Node& from, const Node& to, std::uint32_t signature);
  template <class F>
  void for_each_live(Thread& self, std::vector<std::uint32_t>& live, std::uint32_t op, F visit);
  void crossing(const Node& c, const Node& d, std::uint32_t cd);
  void crossing(const Node& a, const Dependency& ab, const Node& c, const Node& d,
                std::uint32_t cd);
  void parallel(const Node& c, const Node& d, std::uint32_t cd);

  std::uint32_t signature(const Node& from, const Node& to);
  bool is_known(std::uint8_t idiom, std::uint32_t ab, std::uint32_t cd) const;
  void expose(std::uint8_t idiom, std::uint32_t ab, std::uint32_t cd,
              std::initializer_list<const Node*> nodes);
  void deadlocks(const facts::Run& run);

  std::uint32_t window_;
  AccessStream stream_;
  IRootSet found_;
  std::vector<Thread> threads_;
  std::vector<Variable> variables_;
  std::vector<Record> records_;
  std::uint32_t free_records_ = kNoRecord;
  std::vector<Node> before_;               // what the current access depends on
  std::vector<std::uint32_t> signatures_;  // of these dependencies
  // A dependency as an iRoot knows it, sites and kinds, has a number, + 1 here; and for two of them
  // a bit says for each idiom that it has been exposed.
  EpochMap<std::uint32_t> signature_numbers_;
  EpochMap<std::uint8_t> exposed_;
};

}  // namespace raddle::analysis
