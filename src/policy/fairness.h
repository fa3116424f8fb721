// SPDX-License-Identifier: Apache-2.0
//
// FairnessFilter: a thread that yields, sleeps or spins gives way, so that spin loops end under
// strict priorities and depth-first search ends on them. Target side, built for both.
//
// After fair stateless model checking (Musuvathi, Qadeer, PLDI 2008): a thread t that yielded may
// not run again before every thread that was enabled then has run or blocked. The paper keeps a set
// for each thread; the stamps of ThreadView say the same. With
//     moved(u) = max(u.last_run, u.enabled_since)
// a yielding t is held back while some other u that could run has moved(u) < t.yielded_at: u has
// been enabled since before the yield and has not run after it. A u that blocked and was woken has
// a newer enabled_since, as one that left the paper's set. Unlike the paper a yield acts at once,
// not from the second one on: programs yield when they cannot go on.
//
// One thread always remains. invariant of ThreadView: t.yielding implies t.last_run >=
// t.yielded_at, since the yield was t's last step; hence moved(t) >= t.yielded_at. Let v be a
// thread with the smallest moved(v). If v was held back there would be a u with
// moved(u) < v.yielded_at <= moved(v), against the choice of v. So v remains. The same argument
// shows that "some other u" holds for t exactly if the smallest moved() is below t.yielded_at,
// which makes the filter linear.
//
// Only threads that earlier filters have left over count, so it can be combined with others.
#pragma once

#include "policy/filter.h"

namespace raddle::policy {

class FairnessFilter final : public Filter {
 public:
  void narrow(const Choice& choice, ThreadSet& allowed) override;
  bool only_for_yields() const override { return true; }
};

}  // namespace raddle::policy
