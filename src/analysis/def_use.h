// SPDX-License-Identifier: Apache-2.0
//
// Definitions and uses of a run: which write each read got its value from, what was written over
// what, and what was freed after whom, as pairs of places in the code. Engine side.
//
// A pair that every correct run lacks and a failing one has is an order violation: a use before the
// initialisation, after the end, of a definition that is too old or too new (Shi et al., "Do I Use
// the Wrong Definition? DefUse: Definition-Use Invariants for Detecting Concurrency and Sequential
// Bugs", OOPSLA 2010, whose invariants are about the same pairs). Deviations: no invariants are
// trained, the caller compares runs of one program and input; frees are definitions, too, and
// writes over writes and frees after accesses are pairs beside those of reads; notifications that
// nobody waited for are pairs with the waits that come after them.
//
// Places are the caller's: by default the sites of events, but whoever knows call stacks can name
// the user's line instead of that of a library function.
//
// Requires: a run that records every access to shared data (Plan::racing_only is 0). Memory is
// bounded: kGranulesMax granules of eight bytes and kPairsMax distinct pairs; further ones are left
// out.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/epoch_map.h"
#include "wire/event.h"

namespace raddle::analysis {

inline constexpr std::size_t kNoEvent = static_cast<std::size_t>(-1);
inline constexpr std::size_t kGranulesMax = std::size_t{1} << 20;
inline constexpr std::size_t kPairsMax = std::size_t{1} << 16;

enum class Dependence : std::uint8_t {
  initial_use,    // reads what nobody has written in the run; there is no first place
  use,            // reads what another thread wrote
  own_use,        // reads what the thread itself wrote
  overwrite,      // writes over what another thread wrote
  end,            // frees what another thread accessed before
  use_after_end,  // accesses what was freed
  early_signal,   // waits for a notification that came before, when nobody waited
};

struct DefUse {
  Dependence kind = Dependence::use;
  SiteId first = 0, second = 0;  // places
  friend auto operator<=>(const DefUse&, const DefUse&) = default;
};

// The events of its first instance; kNoEvent for an initial use's first.
struct Instance {
  std::size_t first = kNoEvent, second = kNoEvent;
};

class DefUses {
 public:
  void begin();
  // The next event, carried out at this place.
  void on_event(const wire::Event& event, SiteId place);

  const std::map<DefUse, Instance>& pairs() const { return pairs_; }

 private:
  struct Access {
    std::uint32_t index = 0;  // of the event, + 1; 0: none
    SiteId place = 0;
    ThreadId thread = 0;
    bool freed = false;
  };
  struct Granule {
    Access write[8];  // the last one to each byte
    Access read;      // the last one, whichever byte
    std::uint8_t read_mask = 0;
  };

  void access(const wire::Event& event, SiteId place);
  void read(Granule& granule, std::uint8_t mask, const Access& self);
  void write(Granule& granule, std::uint8_t mask, const Access& self);
  void signal(const wire::Event& event, SiteId place);
  void add(Dependence kind, const Access& first, const Access& second);

  std::size_t index_ = 0;
  EpochMap<std::uint32_t> granule_of_;  // + 1
  std::vector<Granule> granules_;
  EpochMap<Access> signals_;  // the last one that nobody waited for, by condition variable
  std::map<DefUse, Instance> pairs_;
};

}  // namespace raddle::analysis
