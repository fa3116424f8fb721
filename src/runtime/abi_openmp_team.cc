// SPDX-License-Identifier: Apache-2.0
//
// Parallel regions, barriers, single, sections and cancellation of OpenMP: the functions that gcc's
// code calls. Target side. Cancellation is off, as it is without OMP_CANCELLATION.
#include "runtime/locate.h"
#include "runtime/openmp.h"

using namespace raddle::runtime;
using namespace raddle::runtime::openmp;

namespace {

using Body = void (*)(void*);

Loop sections_loop(unsigned count) {
  return make_loop(Schedule::dynamic, true, false, 1, std::uint64_t{count} + 1, 1, 1);
}

unsigned next_section(std::uintptr_t pc) {
  std::uint64_t first = 0, last = 0;
  Share* share = self().place.share;
  bool some = share != nullptr && claim_chunk(*share, &first, &last, pc);
  return some ? static_cast<unsigned>(first + 1) : 0;
}

unsigned start_sections(unsigned count, std::uintptr_t pc) {
  Share& share = meet_share();
  share.loop = sections_loop(count);
  return next_section(pc);
}

}  // namespace

RADDLE_EXPORT void GOMP_parallel(Body function, void* data, unsigned threads, unsigned flags) {
  if (off()) return RADDLE_LIBGOMP(GOMP_parallel)(function, data, threads, flags);
  run_team(function, data, threads, nullptr, RADDLE_PROGRAM_CALLER);
}

// Code of gcc before 4.9 runs the first member's part itself, between these two.
RADDLE_EXPORT void GOMP_parallel_start(Body function, void* data, unsigned threads) {
  if (off()) return RADDLE_LIBGOMP(GOMP_parallel_start)(function, data, threads);
  begin_team(function, data, threads, nullptr, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_parallel_end() {
  if (off()) return RADDLE_LIBGOMP(GOMP_parallel_end)();
  end_team(RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_parallel_sections(Body function, void* data, unsigned threads,
                                          unsigned count, unsigned flags) {
  if (off()) return RADDLE_LIBGOMP(GOMP_parallel_sections)(function, data, threads, count, flags);
  Loop loop = sections_loop(count);
  run_team(function, data, threads, &loop, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_parallel_sections_start(Body function, void* data, unsigned threads,
                                                unsigned count) {
  if (off()) return RADDLE_LIBGOMP(GOMP_parallel_sections_start)(function, data, threads, count);
  Loop loop = sections_loop(count);
  begin_team(function, data, threads, &loop, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT unsigned GOMP_sections_start(unsigned count) {
  if (off()) return RADDLE_LIBGOMP(GOMP_sections_start)(count);
  return start_sections(count, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions,
                                            void** memory) {
  if (off()) return RADDLE_LIBGOMP(GOMP_sections2_start)(count, reductions, memory);
  if (reductions != nullptr) refuse_openmp("reduction(task, ...)");
  if (memory != nullptr) refuse_openmp("lastprivate(conditional: ...)");
  return start_sections(count, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT unsigned GOMP_sections_next() {
  if (off()) return RADDLE_LIBGOMP(GOMP_sections_next)();
  return next_section(RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_sections_end() {
  if (off()) return RADDLE_LIBGOMP(GOMP_sections_end)();
  leave_share();
  barrier(RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_sections_end_nowait() {
  if (off()) return RADDLE_LIBGOMP(GOMP_sections_end_nowait)();
  leave_share();
}

RADDLE_EXPORT bool GOMP_sections_end_cancel() {
  if (off()) return RADDLE_LIBGOMP(GOMP_sections_end_cancel)();
  leave_share();
  barrier(RADDLE_PROGRAM_CALLER);
  return false;
}

RADDLE_EXPORT bool GOMP_single_start() {
  if (off()) return RADDLE_LIBGOMP(GOMP_single_start)();
  bool first = claim_single(meet_share(), RADDLE_PROGRAM_CALLER);
  leave_share();
  return first;
}

// With copyprivate: null for the member that runs the region, its data for the others.
RADDLE_EXPORT void* GOMP_single_copy_start() {
  if (off()) return RADDLE_LIBGOMP(GOMP_single_copy_start)();
  std::uintptr_t pc = RADDLE_PROGRAM_CALLER;
  Share& share = meet_share();
  if (claim_single(share, pc)) return nullptr;
  barrier(pc);
  void* data = share.copied;
  leave_share();
  return data;
}

RADDLE_EXPORT void GOMP_single_copy_end(void* data) {
  if (off()) return RADDLE_LIBGOMP(GOMP_single_copy_end)(data);
  if (Share* share = self().place.share) share->copied = data;
  leave_share();
  barrier(RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_scope_start(std::uintptr_t* reductions) {
  if (off()) return RADDLE_LIBGOMP(GOMP_scope_start)(reductions);
  if (reductions != nullptr) refuse_openmp("reduction(task, ...)");
}

RADDLE_EXPORT void GOMP_barrier() {
  if (off()) return RADDLE_LIBGOMP(GOMP_barrier)();
  barrier(RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT bool GOMP_barrier_cancel() {
  if (off()) return RADDLE_LIBGOMP(GOMP_barrier_cancel)();
  barrier(RADDLE_PROGRAM_CALLER);
  return false;
}

RADDLE_EXPORT bool GOMP_cancel(int which, bool wanted) {
  if (off()) return RADDLE_LIBGOMP(GOMP_cancel)(which, wanted);
  return false;
}

RADDLE_EXPORT bool GOMP_cancellation_point(int which) {
  if (off()) return RADDLE_LIBGOMP(GOMP_cancellation_point)(which);
  return false;
}

RADDLE_EXPORT void GOMP_ordered_start() {
  if (off()) return RADDLE_LIBGOMP(GOMP_ordered_start)();
  begin_turn(RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_ordered_end() {
  if (off()) return RADDLE_LIBGOMP(GOMP_ordered_end)();
  end_turn();
}
