// SPDX-License-Identifier: Apache-2.0
//
// The events of a run as accesses to variables, as Maple understands these words (Yu,
// Narayanasamy, Pereira, Pokam, "Maple: A Coverage-Driven Testing Tool for Multithreaded Programs",
// OOPSLA 2012): data is read and written, locks are taken and given back. Engine side. Observation
// and prediction of interleaving idioms read the stream through this.
//
// What is an access: plain and atomic operations and frees of memory; taking and giving back
// mutexes and read-write locks, the wait on a condition variable included, which the stream holds
// as both. A lock that its holder takes again is none, nor is an attempt that failed; a
// compare-exchange that lost is a read.
//
// What is a variable: bytes that are always touched together, or a lock. Two neighbours in one word
// are two variables; when a range that was one is touched in part, it is two from then on, and both
// have the same past. Accesses to more than kWideGranules words have `wide` set. Maple uses fixed
// units of four bytes, which makes one variable of two flags and two of a pointer.
//
// Memory is bounded: when there are about kVariablesMax variables, all are forgotten and numbers
// begin anew.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/epoch_map.h"
#include "base/ids.h"
#include "wire/event.h"

namespace raddle::analysis {

inline constexpr std::uint32_t kVariablesMax = 1u << 18;
inline constexpr unsigned kWideGranules = 4;

enum class AccessRole : std::uint8_t {
  read,
  write,
  update,  // reads and writes at once
  lock,
  unlock,
  read_lock,  // of a read-write lock
  read_unlock,
};

constexpr bool is_lock_role(AccessRole role) { return role >= AccessRole::lock; }

struct SharedAccess {
  std::uint32_t variable = 0;
  std::uint32_t op = 0;     // the how manieth operation of its thread; these begin at 2
  std::uint32_t index = 0;  // of the event in the run
  SiteId site = 0;
  wire::Location where{};  // the event's: all it touches, not only the variable
  ThreadId thread = 0;
  std::uint16_t size = 0;
  wire::OpKind kind = wire::OpKind::none;
  AccessRole role = AccessRole::read;
  bool remembered = false;  // made some time before; `op` is that of the thread's last operation
  bool vague = false;       // perhaps at another site
  bool wide = false;
};

class AccessSink {
 public:
  virtual ~AccessSink() = default;
  virtual void on_access(const SharedAccess& access) = 0;
  // The new variable is a part of the old one.
  virtual void on_split(std::uint32_t old_variable, std::uint32_t new_variable) = 0;
  // No variable is known any more.
  virtual void on_forget() = 0;
};

class AccessStream {
 public:
  // Region ids leave the top bit free: it separates a lock from the bytes it is made of.
  static constexpr std::uint64_t lock_key(wire::Location where) {
    return where.key() | (std::uint64_t{1} << 63);
  }
  struct Held {
    std::uint64_t key;  // of the lock
    wire::Location where;
    std::uint32_t depth;
    std::uint32_t op;      // that took it
    std::uint32_t index;   // its event
    std::uint32_t number;  // of this critical section, among all of the run
    SiteId site;
    wire::OpKind kind;
    bool read;
  };

  void begin();
  // Tells the sink of every variable that the event touches. Locks are held when sink is told that
  // they were taken, and no more when it is told that they were given back.
  void read(const wire::Event& event, AccessSink& sink);

  const std::vector<Held>& held(ThreadId thread) const;
  // Operations that the thread has begun, including the current one; 1 if there was none.
  std::uint32_t ops(ThreadId thread) const;
  std::uint32_t events() const { return index_; }

 private:
  static constexpr unsigned kGranule = 8;
  // Its bytes are parted among variables.
  struct Parts {
    std::uint8_t count = 0;
    std::uint8_t masks[kGranule] = {};
    std::uint32_t variables[kGranule] = {};
  };
  // Nearly all are touched in one way only, and small: the cache holds many.
  struct Granule {
    std::uint8_t mask = 0;       // of its only variable, or 0
    std::uint32_t variable = 0;  // that; or, if the mask is 0, the number + 1 in parts_
  };
  struct Thread {
    std::uint32_t ops = 1;
    std::vector<Held> held;
  };

  Thread& thread(ThreadId id);
  void make_room(AccessSink& sink);
  void touch_memory(SharedAccess access, AccessSink& sink);
  void touch_granule(std::uint64_t key, std::uint8_t mask, SharedAccess& access, AccessSink& sink);
  Parts& parts(Granule& granule);
  void touch_parts(Parts& parts, std::uint8_t mask, SharedAccess& access, AccessSink& sink);
  void take(SharedAccess access, bool read, AccessSink& sink);
  void give_back(SharedAccess access, AccessSink& sink);
  void tell_lock(std::uint64_t key, SharedAccess& access, AccessSink& sink);

  EpochMap<Granule> granules_;
  std::vector<Parts> parts_;
  std::vector<Thread> threads_;
  std::vector<Held> nothing_held_;
  std::uint32_t variables_ = 0;
  std::uint32_t index_ = 0;
  std::uint32_t sections_ = 0;
};

}  // namespace raddle::analysis
