// SPDX-License-Identifier: Apache-2.0
//
// What an OpenMP program asks about its team and its settings, and sets. Target side. The number of
// processors is the default size of a team, so that no answer depends on the machine; functions
// that concern neither teams nor threads (places, devices, allocators) stay libgomp's.
#include <time.h>

#include "runtime/openmp.h"

using namespace raddle::runtime;
using namespace raddle::runtime::openmp;

namespace {

// The team at a level, and the current thread's number in it; null: there is no such level.
const Team* team_at(int level, int* member) {
  const Team* found = &team();
  std::uint32_t number = self().place.member;
  if (level < 0 || static_cast<std::uint32_t>(level) > found->level) return nullptr;
  while (found->level > static_cast<std::uint32_t>(level)) {
    // A member that is not the first one is where its team's first member was.
    number = found->outer.member;
    found = found->outer.team;
  }
  *member = static_cast<int>(number);
  return found;
}

// libgomp's numbers for schedules (omp_sched_t).
constexpr unsigned kMonotonic = 0x80000000u;

int as_int(std::uint64_t number) { return static_cast<int>(number); }

}  // namespace

RADDLE_EXPORT int omp_get_thread_num() {
  if (off()) return RADDLE_LIBGOMP(omp_get_thread_num)();
  return as_int(self().place.member);
}

RADDLE_EXPORT int omp_get_num_threads() {
  if (off()) return RADDLE_LIBGOMP(omp_get_num_threads)();
  return as_int(team().size);
}

RADDLE_EXPORT int omp_get_max_threads() {
  if (off()) return RADDLE_LIBGOMP(omp_get_max_threads)();
  return as_int(settings().threads);
}

RADDLE_EXPORT void omp_set_num_threads(int threads) {
  if (off()) return RADDLE_LIBGOMP(omp_set_num_threads)(threads);
  settings().threads = threads > 0 ? static_cast<std::uint32_t>(threads) : 1;
}

RADDLE_EXPORT int omp_get_num_procs() {
  if (off()) return RADDLE_LIBGOMP(omp_get_num_procs)();
  self();
  return as_int(default_threads(0));
}

RADDLE_EXPORT int omp_get_thread_limit() {
  if (off()) return RADDLE_LIBGOMP(omp_get_thread_limit)();
  return raddle::kMaxThreads;
}

RADDLE_EXPORT int omp_in_parallel() {
  if (off()) return RADDLE_LIBGOMP(omp_in_parallel)();
  return team().active_level > 0 ? 1 : 0;
}

RADDLE_EXPORT int omp_in_final() {
  if (off()) return RADDLE_LIBGOMP(omp_in_final)();
  team();
  return self().place.task->is_final ? 1 : 0;
}

RADDLE_EXPORT int omp_get_level() {
  if (off()) return RADDLE_LIBGOMP(omp_get_level)();
  return as_int(team().level);
}

RADDLE_EXPORT int omp_get_active_level() {
  if (off()) return RADDLE_LIBGOMP(omp_get_active_level)();
  return as_int(team().active_level);
}

RADDLE_EXPORT int omp_get_ancestor_thread_num(int level) {
  if (off()) return RADDLE_LIBGOMP(omp_get_ancestor_thread_num)(level);
  int member = -1;
  return team_at(level, &member) != nullptr ? member : -1;
}

RADDLE_EXPORT int omp_get_team_size(int level) {
  if (off()) return RADDLE_LIBGOMP(omp_get_team_size)(level);
  int member = -1;
  const Team* found = team_at(level, &member);
  return found != nullptr ? as_int(found->size) : -1;
}

RADDLE_EXPORT int omp_get_max_active_levels() {
  if (off()) return RADDLE_LIBGOMP(omp_get_max_active_levels)();
  return as_int(max_active_levels());
}

RADDLE_EXPORT void omp_set_max_active_levels(int levels) {
  if (off()) return RADDLE_LIBGOMP(omp_set_max_active_levels)(levels);
  if (levels >= 0) max_active_levels() = static_cast<std::uint32_t>(levels);
}

RADDLE_EXPORT int omp_get_nested() {
  if (off()) return RADDLE_LIBGOMP(omp_get_nested)();
  return max_active_levels() > 1 && max_active_levels() > team().active_level ? 1 : 0;
}

RADDLE_EXPORT void omp_set_nested(int nested) {
  if (off()) return RADDLE_LIBGOMP(omp_set_nested)(nested);
  if (nested == 0)
    max_active_levels() = 1;
  else if (max_active_levels() <= 1)
    max_active_levels() = raddle::kMaxThreads;
}

RADDLE_EXPORT int omp_get_dynamic() {
  if (off()) return RADDLE_LIBGOMP(omp_get_dynamic)();
  return settings().dynamic ? 1 : 0;
}

// The size of teams is never adjusted: that would be a choice of ours, not of the schedule's.
RADDLE_EXPORT void omp_set_dynamic(int dynamic) {
  if (off()) return RADDLE_LIBGOMP(omp_set_dynamic)(dynamic);
  settings().dynamic = dynamic != 0;
}

RADDLE_EXPORT void omp_get_schedule(unsigned* kind, int* chunk) {
  if (off()) return RADDLE_LIBGOMP(omp_get_schedule)(kind, chunk);
  *kind = static_cast<unsigned>(settings().schedule);
  *chunk = as_int(settings().chunk);
}

RADDLE_EXPORT void omp_set_schedule(unsigned kind, int chunk) {
  if (off()) return RADDLE_LIBGOMP(omp_set_schedule)(kind, chunk);
  unsigned number = kind & ~kMonotonic;
  if (number < 1 || number > 4) return;
  settings().schedule = static_cast<Schedule>(number);
  settings().chunk = chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0;
}

RADDLE_EXPORT int omp_get_cancellation() {
  if (off()) return RADDLE_LIBGOMP(omp_get_cancellation)();
  return 0;
}

RADDLE_EXPORT double omp_get_wtime() {
  if (off()) return RADDLE_LIBGOMP(omp_get_wtime)();
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

RADDLE_EXPORT double omp_get_wtick() {
  if (off()) return RADDLE_LIBGOMP(omp_get_wtick)();
  return 1e-9;
}
