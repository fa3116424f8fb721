// SPDX-License-Identifier: Apache-2.0
//
// The accesses of a run to shared data, each with a name that other runs know it by. Engine side.
//
// A dynamic access is named by its thread, its site and the how-manieth of the thread at the site
// it is. From the kNthMax-th on they count as one: loops would make properties without end. As the
// runtime records an access that repeats the thread's last one only if somebody else came in
// between, such repetitions count as one access, too. Threads are numbered in the order of their
// creation, so where several threads create others, the same number may be another thread.
//
// A variable is where an access begins. One that goes beyond the end of an aligned word of eight
// bytes is an access to what begins there, too (kPiecesMax at most): a copy of a structure defines
// its members, as far as they are words.
//
// A read-modify-write reads and then writes; a compare-exchange that fails only reads. Accesses
// that the runtime publishes late (wire::kEventRemembered) stand where they are published, which is
// before everybody else's to the data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/epoch_map.h"
#include "wire/event.h"

namespace raddle::analysis {

inline constexpr std::uint16_t kNthMax = 4;
inline constexpr std::uint32_t kPiecesMax = 16;
inline constexpr std::size_t kTracedMax = 1 << 20;  // of one run

struct Access {
  std::uint64_t name = 0;  // a hash of thread, site, kind and nth
  SiteId site = 0;
  std::uint32_t variable = 0;  // numbered in this run, from 0
  std::uint32_t event = 0;     // its index in the run
  ThreadId thread = 0;
  std::uint16_t slot = 0;  // of the thread, among those with accesses, by their first
  std::uint16_t nth = 0;   // from 1 to kNthMax
  wire::OpKind kind = wire::OpKind::none;
  bool reads = false;
  bool writes = false;
  bool further = false;  // a further piece of the access before it
  wire::Location where{};
};

// May the accesses of one thread, p and then i, be moved together so that nobody sees the
// difference? `write`: others have written in between; `read_first`: the first of them has read.
constexpr bool unserializable(const Access& p, const Access& i, bool write, bool read_first) {
  if (i.reads && write) return true;
  if (i.writes && p.reads && write) return true;
  return i.writes && p.writes && read_first;
}

class AccessTrace {
 public:
  void begin();
  void on_event(const wire::Event& event);
  // The run is over: from here on the accesses to data of one thread only are left out.
  void finish();

  // In the order of the run. Of an access in pieces, the further ones follow.
  std::span<const Access> accesses() const { return accesses_; }
  std::size_t slots() const { return slots_; }
  // Those to one variable, as indices of accesses(), in the order of the run.
  std::size_t variables() const { return first_.empty() ? 0 : first_.size() - 1; }
  std::span<const std::uint32_t> of_variable(std::size_t variable) const {
    return std::span(by_variable_)
        .subspan(first_[variable], first_[variable + 1] - first_[variable]);
  }
  bool truncated() const { return truncated_; }

 private:
  struct Variable {
    ThreadId thread = 0;      // the first that touched it
    bool shared = false;      // by another one, too
    std::uint32_t count = 0;  // accesses
  };

  void add(Access access, wire::Location where);
  void drop_unshared();

  std::vector<Access> accesses_;
  std::vector<Variable> variables_;
  EpochMap<std::uint32_t> variable_at_;  // by location: number + 1
  EpochMap<std::uint32_t> executions_;   // by thread and site
  EpochMap<std::uint16_t> slot_of_;      // by thread: slot + 1
  std::vector<std::uint32_t> first_;     // of each variable, in by_variable_; one more at the end
  std::vector<std::uint32_t> by_variable_;
  std::vector<std::uint32_t> next_;
  std::uint32_t event_ = 0;
  std::uint16_t slots_ = 0;
  bool truncated_ = false;
};

}  // namespace raddle::analysis
