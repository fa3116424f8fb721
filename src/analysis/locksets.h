// SPDX-License-Identifier: Apache-2.0
//
// Data that no lock protects consistently: a second opinion beside the race detector's. Engine
// side.
//
// The algorithm is Eraser's (Savage, Burrows, Nelson, Sobalvarro, Anderson, "Eraser: A Dynamic Data
// Race Detector for Multithreaded Programs", TOCS 1997). Every byte has a state: virgin; exclusive,
// while one thread only has accessed it (initialisation needs no lock); shared, when others read
// it; shared-modified, when several access it and one writes. From the second thread on, the
// candidate set holds the locks that were held at every access, and is empty at last if there is
// none. That is reported in the state shared-modified only. Of read-write locks, a writer counts
// what it holds for writing, a reader what it holds in either way.
//
// Deviations: creation and join of threads hand data over (as the thread segments of Harrow,
// "Runtime Checking of Multithreaded Applications with Visual Threads", SPIN 2000): if all earlier
// accesses come before the current one by these, the byte is exclusive again. Atomic accesses are
// synchronisation, not data, and change no state. Memory that is freed becomes virgin. Nothing else
// is known to hand data over: a queue, a semaphore, a condition variable, a flag or a lock that the
// program makes from atomics raises a false alarm, so this is off unless asked for.
//
// Requires: a run that records every access to shared data (Plan::racing_only is 0). An access like
// the thread's last one is not recorded again, even if other locks are held by then. Memory is
// bounded: kGranulesMax granules of eight bytes, kLocksetsMax different sets of locks,
// kLocksetThreadsMax threads; beyond them data is left out. kUnprotectedMax reports a run.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/epoch_map.h"

namespace raddle::analysis {

inline constexpr std::size_t kLocksetsMax = 4096;
inline constexpr std::size_t kUnprotectedMax = 64;
inline constexpr ThreadId kLocksetThreadsMax = 512;

// Equal in runs that report the same data: the place in memory, or in the code where that is none
// that other runs know.
std::uint64_t unprotected_key(const facts::Evidence& evidence);

class Locksets final : public Analysis {
 public:
  void begin() override;
  void on_event(const wire::Event& event) override;
  // The events are accesses, the one that emptied the candidate set first, then earlier ones that
  // have no lock in common with it or with each other; each is followed by a `held` event for every
  // lock held at it, whose `order` is 1 if it was held for reading.
  void finish(const facts::Run& run, Findings& findings) override;

 private:
  using Clock = std::vector<std::uint32_t>;
  using SetId = std::uint32_t;  // of a set of locks
  enum class State : std::uint8_t { virgin, exclusive, shared, modified };

  struct Held {
    wire::Location where;
    bool read;
    std::uint32_t depth;
  };
  struct Thread {
    Clock clock;
    std::vector<Held> held;
    SetId any = 0, writing = 0;  // what is held; what is held for writing
  };
  struct Record {
    wire::Event event;
    std::vector<Held> held;
  };
  struct Byte {
    State state = State::virgin;
    bool reported = false;
    ThreadId owner = 0;
    std::uint32_t time = 0;     // of the owner's last access, by its clock
    SetId candidates = 0;       // of shared bytes
    std::uint32_t history = 0;  // + 1, in histories_; of shared bytes
    std::uint32_t first = 0;    // + 1, in records_: the owner's last access
  };
  // Of a byte that is or was shared: when its threads accessed it last, and a few accesses.
  struct History {
    std::vector<std::pair<ThreadId, std::uint32_t>> times;
    std::vector<std::uint32_t> records;
  };
  struct Granule {
    Byte bytes[8];
  };

  Thread& thread(ThreadId id);
  void acquire(const wire::Event& event, bool read);
  void release(const wire::Event& event);
  void order_threads(const wire::Event& event);
  void note_held(Thread& self);
  SetId intern(std::vector<std::uint64_t> locks);
  SetId intersect(SetId a, SetId b);
  void access(const wire::Event& event);
  void access(Byte& byte, const wire::Event& event);
  void access_shared(Byte& byte, const wire::Event& event);
  bool is_ordered(const Byte& byte, const Thread& self, ThreadId id) const;
  void leave_exclusive(Byte& byte);
  void remember(History& history, const wire::Event& event);
  std::uint32_t record(const wire::Event& event);
  void report(Byte& byte, const wire::Event& event);

  std::vector<Thread> threads_;
  std::vector<std::vector<std::uint64_t>> sets_;  // sorted keys of locks; the first is empty
  std::map<std::vector<std::uint64_t>, SetId> set_ids_;
  EpochMap<std::uint32_t> granule_of_;  // + 1
  std::vector<Granule> granules_;
  std::vector<History> histories_;
  std::vector<Record> records_;
  std::uint32_t current_record_ = 0;  // + 1: of the event that is looked at
  bool told_ = false;                 // it has been reported
  Findings found_;
};

}  // namespace raddle::analysis
