// SPDX-License-Identifier: Apache-2.0
//
// Reversals: where a run could have gone another way that is not equivalent: pairs of dependent
// steps whose order another schedule turns round. Engine side; pure.
//
// After source sets (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014): for a race between steps e and
// e', let v be the steps after e that do not follow it, and then e'. A run that begins like this
// one up to e and goes on with v has the two the other way round; its first step may be any of v's
// initials, the steps of v that follow none of v. If one of them is tried before e anyhow, nothing
// has to be added.
//
// Operations that wait (Flanagan, Godefroid, POPL 2005, say "may be co-enabled") reverse only with
// what could have waited for them:
// - a lock races with the latest operation before which the mutex was free, which is the lock of
//   whoever gave it back, not with giving it back;
// - of other objects it is not known before which operation a wait would have been possible: every
//   one since the thread last knew of the object is a candidate, if the thread could run there.
// Operations that threads never came to, because the run ended, count as the others do. And
// whatever ended the run before others were through (a failure, exit) may be put off: they may fail
// as well.
//
// Deviation: more than the least set of pairs is reported (see TraceOrder::for_each_met); sleep
// sets cut the additional runs short, and no complete run is made twice.
#pragma once

#include <vector>

#include "search/trace_order.h"

namespace raddle::search {

struct Reversal {
  std::uint32_t choice;  // at which to go another way
  Mask initials;         // any of these threads will do
  ThreadId wanted;       // the best of them: whose step is to come first
  // Added to be on the safe side: the wanted step may not be possible there.
  bool conservative;
};

class Reversals {
 public:
  // Of races whose second step is at `first` or later; all of them if it is 0. `ended_early`: the
  // run ended by what its last step did, although others could have gone on.
  std::span<const Reversal> find(const Execution& execution, std::uint32_t first, bool ended_early);

 private:
  void look_back(std::span<const model::PendingOp> ops, ThreadId thread);
  void reverse(std::uint32_t earlier, std::span<const model::PendingOp> ops, ThreadId thread,
               bool conservative);
  template <class Visit>
  Mask initials(std::uint32_t earlier, std::uint32_t end, Visit visit);
  Mask enabled_at(std::uint32_t step) const;
  void add(std::uint32_t earlier, Mask any, ThreadId thread, bool conservative);
  void yield_earlier(std::uint32_t step, Mask threads);
  std::uint32_t last_move(ThreadId thread, std::uint32_t yield, std::uint32_t step) const;
  bool yields_at(ThreadId thread, std::uint32_t step) const;
  std::uint32_t last_before(ThreadId thread, std::uint32_t step) const;
  void put_off_the_end();

  const Execution* execution_ = nullptr;
  TraceOrder order_;
  std::uint32_t now_ = 0;  // steps added to the order
  std::vector<Reversal> found_;
  std::vector<std::uint32_t> met_;       // steps that the operation races with
  std::vector<std::uint32_t> first_of_;  // by thread: its first step in v, as ordinal; 0: none
};

}  // namespace raddle::search
