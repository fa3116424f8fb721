// SPDX-License-Identifier: Apache-2.0
//
// Runs that a campaign makes beside its search: those that try whether a potential deadlock is a
// real one. Engine side. The search is not told of them, and they are not counted as its runs; what
// they show is a finding as any other, with a schedule of its own.
#include <algorithm>

#include "analysis/lock_order.h"
#include "search/campaign.h"
#include "search/owned_trial.h"

namespace raddle::search {

// Where runs are made in place, most are made without events. The first ones are not, and as a
// rule they take all locks that there are in all orders that there are.
void Campaign::note_cycles(const facts::Plan& plan, const Trial& trial) {
  if (!options_.lock_order) return;
  if (trial.run.verdict.kind == wire::VerdictKind::deadlock) cycles_.deadlocked(trial.run);
  for (const facts::Evidence& cycle : trial.cycles) cycles_.suspect(plan, trial.run, cycle, runs_);
}

// With `all`, the search is over. If it has been through everything, what has not come about
// cannot.
void Campaign::try_cycles(bool all) {
  if (all && search_.proves_all()) return;
  auto goes_on = [this] {
    bool found = !options_.keep_going && has_stopping_finding();
    bool asked = options_.interrupts != nullptr && *options_.interrupts > 0;
    // They come after all others: a quarter of the time that these had is what they may take.
    auto spent = std::chrono::steady_clock::now() - begin_;
    bool late = options_.time_max.count() != 0 && spent > options_.time_max * 5 / 4;
    return !outcome_.failure && !outcome_.interrupted && !found && !asked && !late;
  };
  while (goes_on()) {
    auto suspicion = cycles_.next(runs_, all);
    if (!suspicion) break;
    if (!confirm(*suspicion)) unconfirmed_.push_back(std::move(*suspicion));
  }
  if (!all) return;
  for (const Suspicion& suspicion : unconfirmed_)
    if (goes_on() && !cycles_.has_come_about(suspicion.cycle)) warn(suspicion);
}

// Whether one of the directed runs has come to the deadlock.
bool Campaign::confirm(const Suspicion& suspicion) {
  for (const facts::Plan& plan : directed_plans(suspicion.plan, suspicion.cycle)) {
    bool in_place = trials_->executor().makes_batches();
    auto trial = in_place ? trials_->repeat(plan) : trials_->run(plan);
    if (!trial) {
      fail(trial.error());
      return false;
    }
    listener_.on_run(trial->run);
    ++outcome_.result.directed_runs;
    if (trial->judgement.outcome != Outcome::finding || is_infeasible(*trial)) continue;
    note_cycles(plan, *trial);
    handle_finding(plan, *trial, {runs_, outcome_.result.directed_runs});
    if (cycles_.has_come_about(suspicion.cycle)) {
      ++outcome_.result.confirmed;
      return true;
    }
    if (outcome_.failure || (!options_.keep_going && has_stopping_finding())) return false;
  }
  return false;
}

// Tells of a cycle that no directed run has made a deadlock, by the run that showed it.
void Campaign::warn(const Suspicion& suspicion) {
  auto again = trials_->repeat(suspicion.plan);
  if (!again) return fail(again.error());
  listener_.on_run(again->run);
  std::uint64_t key = analysis::cycle_key(suspicion.cycle);
  auto same = [key](const facts::Evidence& cycle) { return analysis::cycle_key(cycle) == key; };
  auto shown = std::ranges::find_if(again->cycles, same);
  if (shown == again->cycles.end()) return;  // the program is not deterministic
  Trial about = *again;
  about.judgement = {Outcome::finding, facts::FindingKind::potential_deadlock};
  about.evidence = {*shown};
  handle_finding(suspicion.plan, about, {suspicion.run, 0});
}

}  // namespace raddle::search
