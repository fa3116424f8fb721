// SPDX-License-Identifier: Apache-2.0
//
// The shared memory between engine and target: a header of fixed layout, then areas whose sizes the
// engine chose. The engine creates it as a memfd; the target maps the descriptor it inherits.
//
// Bump rules: any change of a struct in wire/ or of the meaning of a field bumps kProtocolVersion;
// engine and runtime of different versions refuse each other. A change of Event bumps
// kEventVersion (report/event_file.h), too.
#pragma once

#include <atomic>
#include <cstddef>

#include "wire/checkpoint.h"
#include "wire/event.h"
#include "wire/plan.h"
#include "wire/resident.h"
#include "wire/steering.h"
#include "wire/verdict.h"

namespace raddle::wire {

inline constexpr std::uint64_t kMagic = 0x52414444'4c453031;
inline constexpr std::uint32_t kProtocolVersion = 16;

// The environment variable that puts a program under control: "SHM_FD,COMMAND_FD,REPLY_FD".
inline constexpr const char* kControlVariable = "RADDLE_CONTROL";

// Asks a run that takes too long to report where it is: SIGRTMAX - 2, which libc leaves to
// programs.
inline constexpr int kWatchdogSignal = 62;

inline constexpr unsigned kModulesMax = 256;
inline constexpr unsigned kModulePathMax = 512;

// A loaded object of the program. Its code owns the sites [site_base, site_base + size).
struct Module {
  std::uint64_t base;  // load address in the target
  std::uint32_t site_base;
  std::uint32_t size;
  char path[kModulePathMax];
};

inline constexpr unsigned kScheduleUsesMax = 4;
inline constexpr unsigned kScheduleTextMax = 8192;
inline constexpr unsigned kScheduleEventsMax = 256;
inline constexpr unsigned kScheduleNameMax = 128;

// An event schedule of the program, and which of its events have been passed in any run so far.
struct ScheduleUse {
  std::uint32_t text_size;                      // 0: there is none here
  std::uint8_t passed[kScheduleEventsMax / 8];  // by their index in the compiled schedule
  char name[kScheduleNameMax];
  char text[kScheduleTextMax];
};

inline constexpr unsigned kSuppressionsMax = 32768;

enum class TargetStage : std::uint32_t {
  exec,     // nothing of ours has run yet
  loaded,   // the runtime's constructor has run
  ready,    // the fork server waits for commands (or the single run has begun)
  refused,  // the runtime cannot control this program: verdict.message says why
};

enum class Tier : std::uint32_t {
  fork_server,  // fork at main for every command
  single_run,   // this process carries out one plan and ends
};

// What the engine writes into the command pipe, and what comes back for each run.
enum class Command : std::uint8_t {
  run = 'r',
  reside = 's',  // fork a process for resident runs; the answer is its number
  bury = 'b',    // how that process has ended
  quit = 'q',
};
struct Reply {
  std::int32_t wait_status;
  std::int32_t error;  // errno when the run could not be started
};

// What a run could not do as it should have, as bits.
enum RunReservation : std::uint32_t {
  kAccessesLost = 1,    // the shadow had no room for all accesses that may race
  kEndForced = 2,       // the process ended while threads still ran, as they did not come to an end
  kStruckAtPoints = 4,  // a thread could have been cancelled anywhere, and was at points only
};

struct SharedHeader {
  std::uint64_t magic;
  std::uint32_t version;
  Tier tier;
  std::uint64_t total_bytes;
  // Areas, as offsets from the header's start, and their capacities in elements; that of the
  // steering in bytes.
  std::uint64_t steering_at, sites_at, schedule_at, reports_at, ring_at;
  std::uint32_t steering_bytes, sites_capacity, schedule_capacity, report_capacity;
  std::uint32_t ring_capacity;  // a power of two
  std::uint32_t reserved;

  Plan plan;

  // Written by the target.
  std::atomic<TargetStage> stage;
  std::atomic<std::int32_t> run_pid;     // the process carrying out the run, 0 between runs
  std::atomic<std::uint64_t> ring_head;  // events produced in this run
  std::atomic<std::uint64_t> ring_tail;  // events consumed (written by the engine)
  std::uint32_t steps;
  std::uint32_t choices;  // entries of the schedule area
  std::uint32_t threads;  // threads created, the initial one included
  std::uint32_t preemptions;
  std::uint32_t fairness_cuts;  // choices that the fairness filter narrowed
  std::uint32_t module_count;
  Verdict verdict;
  Module modules[kModulesMax];

  // Written by the engine: another part of the plan, and its area.
  Interest interest;
  std::uint64_t weights_at;
  std::uint32_t weights_capacity;
  std::uint32_t too_many_threads;  // written by the target: some are in no ChoiceSets
  std::uint64_t sets_at;           // as many as the schedule area has

  // Written by the target, over all runs: the first event schedules that the program used.
  ScheduleUse schedules[kScheduleUsesMax];

  CheckpointOrder checkpoints;     // written by the engine
  std::uint64_t begun_ns;          // written by the target: when it took up the plan, real time
  std::uint32_t checkpoints_made;  // written by the target: in this run
  std::uint32_t reservations;      // written by the target: RunReservation
  std::uint32_t sudden_exit;       // written by the engine, a part of the plan (facts::Plan)
  // Written by the target when the run ends with a use of freed memory: where it was freed and
  // used, as far as these are no points yet; 0: none. Their order could be the other one.
  SiteId late_sites[2];
  std::uint32_t recurred_at;  // written by the target: when a state came back; 0: none has
  SteeringHeader steering;    // written by the engine: a part of the plan, and how to read its area
  ResidentArea resident;      // of both
  // Written by the target before main: the text of the program's __tsan_default_suppressions; ""
  // if it has none, cut after the last line that there is room for.
  char suppressions[kSuppressionsMax];

  SteeringView steering_view() { return {steering, at<char>(steering_at)}; }
  // Requires: the steering is of this kind.
  template <SteeringKind kKind>
  SteeringRow<kKind>* steering_rows() {
    return at<SteeringRow<kKind>>(steering_at);
  }
  SiteId* sites() { return at<SiteId>(sites_at); }
  ChoiceRecord* schedule() { return at<ChoiceRecord>(schedule_at); }
  ThreadReport* reports() { return at<ThreadReport>(reports_at); }
  ChoiceSets* sets() { return at<ChoiceSets>(sets_at); }
  ThreadWeight* weights() { return at<ThreadWeight>(weights_at); }
  Event* ring() { return at<Event>(ring_at); }

 private:
  template <class T>
  T* at(std::uint64_t offset) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(this) + offset);
  }
};

}  // namespace raddle::wire
