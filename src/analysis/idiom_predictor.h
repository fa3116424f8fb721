// SPDX-License-Identifier: Apache-2.0
//
// Which iRoots other runs on the same input could show, judged by one run: Maple's online profiler
// (Yu, Narayanasamy, Pereira, Pokam, OOPSLA 2012, section 3). Engine side. Neither sound nor
// complete, as there: other runs may go other ways. What has been seen is among what is predicted,
// but for what the limits below hide.
//
// Idiom 1. Every variable has a history of accesses, each with the clock of its thread
// (sync_clocks.h) and the locks held. P => Q is predicted if they conflict, are of two threads, Q
// does not happen before P, and no lock that both hold (not both for reading) keeps them apart. An
// access gets into the history when it is known what its thread did to the variable next
// (delayed prediction), which is when it does, or the run's end.
//
// Compound idioms are correlated when the run is over: local pairs (two accesses of a thread that
// could be A and D, see idioms.h) with what was predicted for idiom 1. See idiom_pairs.h.
//
// Condensed as in section 3.5.2: accesses by the same thread, site, locks and clock are one entry;
// if an access adds none, nothing is looked for again; entries whose clocks are old are dropped
// (kTimes clocks an entry).
//
// Deviations: an access need not be the first or last of all in a critical section, but only of
// those that break the dependency: for a read that depends on a write, no write after the one and
// no access before the other; for a write that depends on a read, no write before it. Where P
// happens before Q, it is predicted only if nothing that happens between the two breaks it; the
// paper's text predicts it always, its program does the same by other means. More than kLocksNoted
// locks of a thread, and threads beyond kClockThreads, are left out. The deadlock of two threads,
// as an idiom 5 of lock operations, is predicted as by GoodLock (lock_order.h).
//
// When an access was made that became known only later (SharedAccess::remembered) is not known, nor
// are its locks. It counts as made anywhere in its thread's life, with the locks that its site had
// when last seen, in this run or an earlier one; until then it is left out, as are those whose site
// is vague. So several runs predict
// more than one, as with Maple, which profiles until three runs in a row bring nothing new.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/access_stream.h"
#include "analysis/epoch_map.h"
#include "analysis/idiom_pairs.h"
#include "analysis/iroot.h"
#include "analysis/sync_clocks.h"

namespace raddle::analysis {

class IdiomPredictor final : private AccessSink {
 public:
  // Requires: 0 < window <= kPairWindowMax.
  explicit IdiomPredictor(std::uint32_t window);

  void begin();
  void on_event(const wire::Event& event);
  void finish();

  // Those of the events since begin(). Complete after finish().
  const IRootSet& predicted() const { return found_; }
  bool truncated() const { return truncated_ || found_.truncated(); }
  // What is remembered, to show that it does not grow with the run.
  std::size_t entries() const;

 private:
  using Snapshot = SyncClocks::Snapshot;
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::uint32_t kNever = 0xffffffff;
  static constexpr unsigned kTimes = 2;

  // When an access was made, and when its thread accessed the variable before and after.
  struct Time {
    Snapshot clock = SyncClocks::kNone;
    std::uint32_t now = 0;  // on the thread's own clock
    Snapshot before = SyncClocks::kNone, write_before = SyncClocks::kNone;
    std::uint32_t after = kNever, write_after = kNever;  // on the thread's own clock
  };
  // An access of which it is not known yet what comes next.
  struct Pending {
    std::uint32_t access = kNone;
    std::uint32_t op = 0;
    Time time;
    std::uint8_t after = 0;  // locks: their section goes on at the thread's next access
  };
  struct Record {
    Pending read;   // the last access, if it is none that writes
    Pending write;  // the last one that writes
    std::uint32_t last_op = 0, last_write_op = 0;
    Snapshot last = SyncClocks::kNone, last_write = SyncClocks::kNone;
    std::uint32_t slot = kNone;  // IdiomPairs::made()
    std::uint32_t next = kNone;
    ThreadId thread = 0;
  };
  // What is known of the locks of a site, from an access that was seen when it was made.
  struct SiteNote {
    std::uint32_t locks = 0;  // into noted_locks_, + 1
    std::uint8_t after = 0, write_after = 0;
  };
  // One of a variable's history.
  struct Entry {
    std::uint32_t access = 0;
    std::uint8_t after = 0, write_after = 0;  // locks: their section has such an access after it
    std::uint8_t times = 0;
    Time time[kTimes];  // the last ones, newest first
    std::uint32_t next = kNone;
  };
  struct Variable {
    std::uint32_t records = kNone;
    std::uint32_t entries = kNone;
  };
  enum class Dependence : std::uint8_t { read_after_write, write_after_write, write_after_read };

  void on_access(const SharedAccess& access) override;
  void on_split(std::uint32_t old_variable, std::uint32_t new_variable) override;
  void on_forget() override;

  Variable& variable(std::uint32_t id);
  Record& record(Variable& variable, ThreadId thread);
  Lockset locks_of(const SharedAccess& access, const Record& mine) const;
  std::uint8_t still_held(const Pending& pending) const;
  void remembered(const SharedAccess& access);
  void next_access(Record& mine, bool is_write, ThreadId thread, bool remembered);
  void mature(Pending& pending, std::uint8_t write_after);
  void note(const Pending& pending, std::uint8_t write_after);
  void enter(const Pending& pending, std::uint8_t write_after);
  void flush(Record& record);
  void flush_all();
  void scan(const Entry& entry);
  void relate(const Entry& from, const Entry& to);
  bool possible(const Entry& from, const Entry& to, Dependence kind) const;
  bool locks_allow(const Entry& from, const Entry& to, Dependence kind) const;
  bool clocks_allow(const Entry& from, const Entry& to, Dependence kind) const;
  bool broken_between(const Entry& from, const Time& p, const Entry& to, const Time& q,
                      Dependence kind) const;
  bool happens_before(const Entry& first, const Time& at, const Time& second) const;
  bool concurrent(std::uint32_t first, std::uint32_t second) const;
  void sweep();

  const SharedAccess& access_of(const Entry& entry) const {
    return pairs_.access(entry.access).first;
  }

  AccessStream stream_;
  SyncClocks clocks_;
  IdiomPairs pairs_;
  IRootSet found_;
  std::vector<Variable> variables_;
  std::vector<Record> records_;
  std::vector<Entry> entries_;
  EpochMap<std::uint32_t> entry_index_;  // + 1
  std::vector<Snapshot> births_;         // the clocks that threads began with
  bool truncated_ = false;

  // Of all runs.
  EpochMap<SiteNote> notes_;
  std::vector<Lockset> noted_locks_;
};

}  // namespace raddle::analysis
