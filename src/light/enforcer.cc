// SPDX-License-Identifier: Apache-2.0
//
// See enforcer.h.
#include "light/enforcer.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dsl/schedule_checks.h"
#include "light/blocked.h"
#include "light/failures.h"
#include "light/real.h"
#include "light/report.h"
#include "light/say.h"
#include "raddle/abi.h"

namespace raddle::light::enforcer {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kFirstLookNs = 1'000'000;
constexpr std::int64_t kLastLookNs = 50'000'000;
constexpr std::int64_t kPatienceDefault = 20 * kSecond;

enum class Verdict : std::uint8_t { none, schedule_deadlock, program_deadlock };

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

// All below are guarded by the mutex.
constinit dsl::Schedule schedule;
constinit dsl::ScheduleMonitor monitor;
char name_in_force[128];
unsigned flags_in_force = 0;
unsigned generation = 0;  // of schedules: who was held back by an older one goes on
bool lifted = false;      // nobody is held back any more: it cannot be carried out
bool found_infeasible = false;
bool unsure = false;  // of the last question: the answer may change without a notice
std::int64_t patience_ns = kPatienceDefault;
char report[8192];

bool ask_blocked(void*, ThreadId id) {
  Thread* thread = thread_at(id);
  if (thread == nullptr) return false;
  const Blocked answer = blocked(*thread, true);
  if (answer == Blocked::unsure) unsure = true;
  return answer == Blocked::yes;
}

constexpr dsl::BlockedQuery kIsBlocked{ask_blocked, nullptr};

Situation situation() { return {name_in_force, &monitor, kIsBlocked}; }

bool is_passive() { return (flags_in_force & RADDLE_SCHEDULE_PASSIVE) != 0; }

void notify_all() { LIGHT_REAL(pthread_cond_broadcast)(&changed); }

// Until a notice, at most so long; false if the time is over.
bool wait_for_change(std::int64_t at_most_ns) {
  const std::int64_t until = now_ns() + at_most_ns;
  const timespec deadline{until / kSecond, until % kSecond};
  return LIGHT_REAL(pthread_cond_clockwait)(&changed, &mutex, CLOCK_MONOTONIC, &deadline) == 0;
}

// A thread that runs, or waits for a time, can still change everything.
bool somebody_goes_on() {
  for (unsigned i = 0; i < thread_limit(); ++i) {
    const Thread* thread = thread_at(static_cast<ThreadId>(i));
    if (thread == nullptr || thread->ended || thread->paused_at != nullptr) continue;
    if (thread->kind == WaitKind::none || thread->deadline_ns != 0) return true;
  }
  return false;
}

Verdict judge() {
  if (lifted || is_passive() || somebody_goes_on()) return Verdict::none;
  bool anybody_held_back = false;
  bool circle = false;
  for (unsigned i = 0; i < thread_limit(); ++i) {
    Thread* thread = thread_at(static_cast<ThreadId>(i));
    if (thread == nullptr || thread->ended) continue;
    if (thread->paused_at != nullptr) {
      anybody_held_back = true;
      if (monitor.admits(paused_firing(monitor, *thread), kIsBlocked)) return Verdict::none;
      continue;
    }
    const Blocked answer = blocked(*thread, false);
    if (answer == Blocked::unsure) unsure = true;
    if (answer != Blocked::yes) return Verdict::none;
    circle |= waits_for_itself(*thread);
  }
  return anybody_held_back && !circle ? Verdict::schedule_deadlock : Verdict::program_deadlock;
}

// A thread that has just come out of its wait and has not said so yet is no part of a deadlock: all
// but the current one, which is about to wait, must be asleep in theirs.
bool all_are_asleep() {
  const Thread& self = current_thread();
  for (unsigned i = 0; i < thread_limit(); ++i) {
    Thread* thread = thread_at(static_cast<ThreadId>(i));
    if (thread == nullptr || thread == &self || thread->ended) continue;
    if (thread->paused_at == nullptr && !sleeps_in_wait(*thread, mutex, changed)) return false;
  }
  return true;
}

// A deadlock does not go away: it must be seen some times, a while apart, with all asleep. Gives up
// if it takes too long; if a thread is held back, it will look again.
Verdict confirm(Verdict verdict) {
  constexpr int kSeen = 3;
  constexpr int kTriesMax = 50;
  const unsigned mine = generation;
  int seen = 0;
  for (int i = 0; i < kTriesMax && verdict != Verdict::none; ++i) {
    seen = all_are_asleep() ? seen + 1 : 0;
    if (seen == kSeen) return verdict;
    wait_for_change(kFirstLookNs);
    verdict = in_force() && generation == mine ? judge() : Verdict::none;
  }
  unsure = true;
  return Verdict::none;
}

// Nobody is held back any more; the report is made while they still are.
void lift() {
  lifted = true;
  notify_all();
}

// Whoever has the lock, or waits to have it back, cannot be cancelled: the lock would be lost.
constinit thread_local int cancel_state = PTHREAD_CANCEL_ENABLE;

void lock() {
  int state = PTHREAD_CANCEL_ENABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  LIGHT_REAL(pthread_mutex_lock)(&mutex);
  cancel_state = state;
}

void unlock() {
  const int state = cancel_state;
  LIGHT_REAL(pthread_mutex_unlock)(&mutex);
  pthread_setcancelstate(state, nullptr);
}

// Called and returns with the lock, which it gives back for the time of the failure.
void tell(const char* text, bool ends_the_process) {
  unlock();
  fail_schedule(text);
  if (ends_the_process) {  // whatever the handler would have done with it later
    say("raddle: ");
    say(text);
    abort();
  }
  lock();
}

// Looks for a deadlock and deals with it.
void look_for_deadlock() {
  const Verdict verdict = confirm(judge());
  if (verdict == Verdict::none) return;
  const bool own = verdict == Verdict::program_deadlock;
  if (!own && (flags_in_force & RADDLE_SCHEDULE_INFEASIBLE) != 0) {
    found_infeasible = true;
    lift();
    return;
  }
  dsl::TextBuffer text(report, sizeof report);
  put_deadlock(text, situation());
  lift();
  tell(report, own);
}

void look_for_hang(const Thread& self) {
  if (now_ns() - self.paused_since_ns < patience_ns || lifted) return;
  dsl::TextBuffer text(report, sizeof report);
  put_hang(text, situation(), patience_ns / kSecond);
  lift();
  tell(report, false);
}

// The thread waits until the event is admitted, or the schedule is over.
void hold_back(Thread& self, const dsl::Firing& firing, const char* name) {
  const unsigned mine = generation;
  self.paused_at = name;
  self.paused_kind = firing.kind;
  self.paused_since_ns = now_ns();
  std::int64_t next_look_ns = kFirstLookNs;
  for (;;) {
    unsure = false;
    if (lifted || generation != mine || monitor.admits(firing, kIsBlocked)) break;
    look_for_deadlock();
    if (lifted || generation != mine) break;
    const bool notified = wait_for_change(unsure ? next_look_ns : patience_ns);
    if (!notified && next_look_ns < kLastLookNs) next_look_ns *= 2;
    if (generation == mine) look_for_hang(self);
  }
  self.paused_at = nullptr;
}

// With the lock.
void pass(Thread& self, dsl::EventKind kind, const char* name) {
  const dsl::Firing firing = firing_of(monitor, self, kind, name);
  if (!monitor.mentions(firing)) return;
  const unsigned mine = generation;
  if (is_passive()) {
    if (!monitor.admits(firing, kIsBlocked)) {
      char text[2048];
      dsl::TextBuffer out(text, sizeof text);
      put_violation(out, situation(), self, firing, name);
      unlock();
      fail_check(nullptr, 0, text);
      lock();
    }
  } else if (!lifted && !monitor.admits(firing, kIsBlocked)) {
    hold_back(self, firing, name);
  }
  if (generation != mine) return;
  monitor.fire(firing);
  notify_all();
}

std::int64_t patience_wanted() {
  const char* text = getenv("RADDLE_LIGHT_TIMEOUT");
  const double seconds = text == nullptr ? 0 : strtod(text, nullptr);
  return seconds > 0 ? static_cast<std::int64_t>(seconds * 1e9) : kPatienceDefault;
}

void copy_name(char* to, std::size_t size, const char* from) {
  dsl::TextBuffer out(to, size);
  out << (from == nullptr ? "" : from);
}

// What was there before the schedule: waits of which it is unsure whether they have ended, and
// threads that have started.
void take_over_threads() {
  for (unsigned i = 0; i < thread_limit(); ++i) {
    Thread* thread = thread_at(static_cast<ThreadId>(i));
    if (thread == nullptr || thread->ended) continue;
    thread->woken = true;
    if (thread->name[0] != 0)
      monitor.fire(firing_of(monitor, *thread, dsl::EventKind::start, "start"));
  }
}

}  // namespace

Lock::Lock() { lock(); }
Lock::~Lock() { unlock(); }

void begin(const char* name, const char* text, unsigned flags) {
  lock();
  dsl::TextBuffer out(report, sizeof report);
  char why[1024];
  dsl::TextBuffer reason(why, sizeof why);
  const bool nested = in_force();
  const bool good = !nested && dsl::compile_schedule(text, schedule, reason);
  if (!good) {
    if (nested)
      out << "schedule \"" << name << "\" cannot begin: schedule \"" << name_in_force
          << "\" is still in force\n";
    else
      out << "schedule \"" << name << "\": " << reason.text() << "\n";
    tell(report, false);
    unlock();
    return;
  }
  if (!reason.text().empty()) {
    out << "raddle: schedule \"" << name << "\": " << reason.text() << "\n";
    say(out.text());
  }
  copy_name(name_in_force, sizeof name_in_force, name);
  flags_in_force = flags;
  ++generation;
  lifted = found_infeasible = false;
  patience_ns = patience_wanted();
  recycle_threads();
  monitor.begin(schedule);
  schedule_in_force.store(true, std::memory_order_seq_cst);
  take_over_threads();
  unlock();
}

void end() {
  lock();
  if (!in_force()) {
    unlock();
    return;
  }
  schedule_in_force.store(false, std::memory_order_seq_cst);
  ++generation;
  notify_all();
  dsl::TextBuffer text(report, sizeof report);
  const bool satisfied = !lifted && !is_passive();
  const bool wanted_infeasible = (flags_in_force & RADDLE_SCHEDULE_INFEASIBLE) != 0;
  if (wanted_infeasible && !found_infeasible && !lifted)
    text << "schedule \"" << name_in_force
         << "\" was expected to be infeasible, but this run satisfied it\n";
  else if (satisfied)
    put_untried(text, situation());
  name_in_force[0] = 0;
  if (wanted_infeasible && !text.text().empty())
    tell(report, false);
  else
    say(text.text());
  unlock();
}

const char* schedule_name() { return in_force() ? name_in_force : ""; }

void pass_event(const char* name) {
  if (!in_force()) return;
  Thread& self = current_thread();
  Lock guard;
  if (in_force()) pass(self, dsl::EventKind::named, name);
}

void name_thread(const char* name) {
  Thread& self = current_thread();
  Lock guard;
  copy_name(self.name, sizeof self.name, name);
  if (in_force()) pass(self, dsl::EventKind::start, "start");
}

void thread_waits(Thread& thread) {
  Lock guard;
  if (!in_force()) return;
  // It may be the last one that a barrier waits for (its number is the third word of glibc's
  // structure): then nobody waits there.
  if (thread.kind == WaitKind::barrier) {
    const auto* words = static_cast<const unsigned*>(thread.object.load());
    if (waiters_of(words) == words[2]) note_wake(words);
  }
  notify_all();
  look_for_deadlock();
}

void end_thread(Thread& thread) {
  Lock guard;
  if (in_force()) pass(thread, dsl::EventKind::end, "end");
  thread.kind = WaitKind::none;
  thread.ended = true;
  if (!in_force()) return;
  notify_all();
  look_for_deadlock();
}

void forget_after_fork() {
  mutex = PTHREAD_MUTEX_INITIALIZER;
  changed = PTHREAD_COND_INITIALIZER;
  schedule_in_force = false;
  ++generation;
}

}  // namespace raddle::light::enforcer
