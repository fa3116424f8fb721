// SPDX-License-Identifier: Apache-2.0
//
// OpenMP as gcc's compiled code asks for it (the GOMP_* and omp_* functions of libgomp), on top of
// fibers. Target side. libgomp waits by spinning and by futex instructions of its own, which nobody
// can stand in front of; so under control its functions are not called at all: teams, barriers,
// loops, tasks and locks are ours, every decision of theirs is a point, and every order that they
// promise (OpenMP 5.0, 1.4.4 and the sections of the constructs) is an edge of happens-before.
//
// - A thread that meets a parallel region is the team's first member. The others come from a pool
//   that belongs to it, wait there between regions and keep their thread_local variables, as
//   threadprivate wants it.
// - Which member gets an iteration, a section, a single or a task is decided by the schedule: by
//   who makes the claim's step first.
// - Tasks run to their end on the stack of the member that took them, so none ever moves.
//
// invariant: a member that rests is in the queue of its own bell, and whoever changes what it waits
// for rings it. All waits are loops around rest().
#pragma once

#include "runtime/controller.h"
#include "runtime/order.h"
#include "runtime/real.h"

namespace raddle::runtime::openmp {

struct Team;

// What an explicit task touches, by its depend clause.
struct Dependence {
  const void* address;
  bool writes;
};

// A taskgroup that is open.
struct Group {
  Group* outer;
  std::uint32_t unfinished;
  ThreadId waiter;
  Clock finished;
};

// An explicit task, or the implicit one of a member.
struct Task {
  void (*function)(void*);
  void* argument;     // a block of the program's heap
  std::uintptr_t pc;  // who created it
  Task* parent;       // null: it has ended
  Group* group;       // the innermost one that was open where it was created; then those of its own
  Task *next, *previous;  // in the team's list, oldest first
  Dependence* dependences;
  std::uint32_t dependence_count;
  std::uint32_t unfinished_children;
  ThreadId waiter;  // the member that waits for its children
  bool started;
  bool is_final;
  bool waits_for_some;  // the waiter wants to know of every child that ends
  Clock known;          // what it may rely on when it starts
  Clock children;       // what its children that have ended did
  Clock settled;        // those of them that others may depend on
};

enum class Schedule : std::uint8_t { runtime, fixed, dynamic, guided, automatic };

// The iterations of a loop by number, from 0 to count; all arithmetic is modulo 2^64, so signed and
// unsigned loops are alike.
struct Loop {
  Schedule schedule;
  std::uint64_t start, end, step;
  std::uint64_t count;
  std::uint64_t chunk;  // 0: the schedule's own
};

// A construct that the members of a team share. All of them meet it, in the same order; it lives
// until the last has left.
struct Share {
  Share* next;
  std::uint32_t number;  // in its team
  std::uint32_t left;    // members that are through
  std::uintptr_t address;
  Loop loop;
  std::uint64_t claimed;   // iterations that are given out
  std::uint64_t sequence;  // chunks that are given out
  std::uint64_t turn;      // the chunk whose ordered regions may run
  bool taken;              // a single
  void* copied;            // copyprivate
  Clock ordered;           // what ordered regions did
};

// Where a thread is.
struct Place {
  Team* team;
  std::uint32_t member;
  Task* task;
  Share* share;
  std::uint32_t shares_met;
  std::uint64_t chunks;  // taken of a fixed schedule
  std::uint64_t chunk;   // the current one, for ordered
  bool has_chunk;
};

// Internal control variables. What belongs to a task in the specification belongs to a thread here.
struct Settings {
  std::uint32_t threads;
  Schedule schedule;
  std::uint64_t chunk;
  bool dynamic;
};

struct Team {
  Team* next_free;
  std::uint32_t size;
  std::uint32_t level, active_level;
  std::uintptr_t address;
  ThreadId first;         // its first member; the others are in its pool, in order
  std::uint32_t skipped;  // of the pool: members of teams around this one
  Place outer;            // where that was before
  void (*function)(void*);
  void* argument;
  Settings settings, outer_settings;
  std::uintptr_t pc;  // where the region is
  std::uint32_t arrived, round;
  std::uint32_t ended;  // of those who have arrived: at the end of the region
  Clock arrivals[2];    // of even and of odd rounds
  Task *first_task, *last_task;
  std::uint32_t unfinished_tasks;
  Share* shares;
};

enum class Rest : std::uint8_t { none, barrier, idle, children, group, turn };

struct Thread {
  Place place;
  Settings settings;
  bool has_settings;
  Rest rest;
  std::uint32_t bell;  // index of its object
  Team* assigned;
  std::uint32_t assigned_member;
  bool dismissed;
  ThreadId pool, next_in_pool;  // plus one, 0: none
  std::uint32_t pool_used;      // how many of the pool, from the front, are in a team
};

Thread& thread_of(ThreadId id);
// The current thread. Begins the run if a constructor of the program comes before it.
Thread& self();
// The current thread's team; one of its own, of a single member, outside all parallel regions.
Team& team();

// Requires: called in a loop that looks again at what it waits for.
void rest(Thread& me, Rest reason, wire::OpKind kind, std::uintptr_t address, std::uintptr_t pc);
void ring(ThreadId id);

template <class Visit>
void for_each_member(const Team& team, Visit visit) {
  visit(team.first);
  ThreadId id = thread_of(team.first).pool;
  for (std::uint32_t i = 0; id != 0 && i < team.skipped + team.size - 1; ++i) {
    auto worker = static_cast<ThreadId>(id - 1);
    id = thread_of(worker).next_in_pool;
    if (i >= team.skipped) visit(worker);
  }
}

// A step of the current thread that always succeeds. Returns its op, to be emitted.
PendingOp& step(wire::OpKind kind, std::uintptr_t address, std::uintptr_t pc);

// Teams.
std::uint32_t team_size(std::uint32_t wanted);
Team& begin_team(void (*function)(void*), void* argument, std::uint32_t wanted, const Loop* loop,
                 std::uintptr_t pc);
void end_team(std::uintptr_t pc);
void run_team(void (*function)(void*), void* argument, std::uint32_t wanted, const Loop* loop,
              std::uintptr_t pc);
void barrier(std::uintptr_t pc);
// The current thread ends: so do those of its pool.
void end_thread();
// Between runs in one process: no teams, tasks and constructs are left of the run.
void reset();
void reset_tasks();
void reset_shares();

// Constructs.
Share& meet_share();
void leave_share();
void free_share(Share& share);
Share& new_share(std::uint32_t number);
// Whether the current member is the first to claim the share.
bool claim_single(Share& share, std::uintptr_t pc);
// The next iterations for the current member, [first, last); false: there are none.
bool claim_chunk(Share& share, std::uint64_t* first, std::uint64_t* last, std::uintptr_t pc);
// The same in a loop with ordered regions.
bool claim_ordered_chunk(Share& share, std::uint64_t* first, std::uint64_t* last,
                         std::uintptr_t pc);
// The borders of an ordered region.
void begin_turn(std::uintptr_t pc);
void end_turn();
Loop make_loop(Schedule schedule, bool up, bool is_signed, std::uint64_t start, std::uint64_t end,
               std::uint64_t step, std::uint64_t chunk);

// Tasks.
struct TaskRequest {
  void (*function)(void*);
  void* argument;
  void (*copy)(void*, void*);
  std::size_t size, alignment;
  bool deferred = true;
  bool is_final = false;
  void** depend = nullptr;
  std::uint64_t* bounds = nullptr;  // two numbers to put at the front of the argument; null: none
};
Task& new_task(Task* parent);
void free_task(Task& task);
void create_task(const TaskRequest& request, std::uintptr_t pc);
void await_children(std::uintptr_t pc);
void await_dependences(void** depend, std::uintptr_t pc);
void open_group();
void close_group(std::uintptr_t pc);
// Whether there is a task that the member may take while it rests so.
bool has_task(const Thread& me, Rest reason);
void run_some_task(Thread& me, Rest reason, std::uintptr_t pc);

// Settings.
Settings& settings();
std::uint32_t default_threads(std::uint32_t level);
std::uint32_t& max_active_levels();

// libgomp's own, for programs that are not under control.
void* find_libgomp(const char* name);
template <class Function>
Function* libgomp_function(Function** cache, const char* name) {
  if (__builtin_expect(*cache == nullptr, 0))
    *cache = reinterpret_cast<Function*>(find_libgomp(name));
  return *cache;
}

[[noreturn]] void refuse_openmp(const char* what);

}  // namespace raddle::runtime::openmp

#define RADDLE_LIBGOMP(name) \
  ::raddle::runtime::openmp::libgomp_function(&::raddle::runtime::real_cache<&::name>, #name)
