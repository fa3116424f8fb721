// SPDX-License-Identifier: Apache-2.0
//
// Loops of OpenMP: the functions that gcc's code calls. Target side. There are many of them, one
// for each schedule, kind of counter and age of the compiler; what they do is the same, so they are
// made by macros.
#include "runtime/locate.h"
#include "runtime/openmp.h"

using namespace raddle::runtime;
using namespace raddle::runtime::openmp;

namespace {

using Ull = unsigned long long;
using Body = void (*)(void*);

// The schedules by libgomp's numbers; the top bit only asks for monotonic order, which is ours.
Schedule schedule_of(long number) {
  switch (number & 0x7fffffff) {
    case 1:
      return Schedule::fixed;
    case 2:
      return Schedule::dynamic;
    case 3:
      return Schedule::guided;
    case 4:
      return Schedule::automatic;
    default:
      return Schedule::runtime;
  }
}

Loop signed_loop(Schedule schedule, long start, long end, long step, long chunk) {
  return make_loop(schedule, step > 0, true, static_cast<std::uint64_t>(start),
                   static_cast<std::uint64_t>(end), static_cast<std::uint64_t>(step),
                   static_cast<std::uint64_t>(chunk));
}

// Long or unsigned long long: the compiled code says which.
template <class Number>
bool next_chunk(bool ordered, Number* from, Number* to, std::uintptr_t pc) {
  Share* share = self().place.share;
  if (share == nullptr) return false;
  std::uint64_t first = 0, last = 0;
  bool some = ordered ? claim_ordered_chunk(*share, &first, &last, pc)
                      : claim_chunk(*share, &first, &last, pc);
  if (!some) return false;
  const Loop& loop = share->loop;
  *from = static_cast<Number>(loop.start + first * loop.step);
  *to = static_cast<Number>(last == loop.count ? loop.end : loop.start + last * loop.step);
  return true;
}

template <class Number>
bool start_loop(const Loop& loop, bool ordered, Number* from, Number* to, std::uintptr_t pc) {
  meet_share().loop = loop;
  return next_chunk(ordered, from, to, pc);
}

void refuse_extras(const std::uintptr_t* reductions, void* const* memory) {
  if (reductions != nullptr) refuse_openmp("reduction(task, ...)");
  if (memory != nullptr) refuse_openmp("lastprivate(conditional: ...) or reduction(inscan, ...)");
}

}  // namespace

#define RADDLE_LOOP_NEXT(name, ordered)                                      \
  RADDLE_EXPORT bool GOMP_loop_##name##_next(long* from, long* to) {         \
    if (off()) return RADDLE_LIBGOMP(GOMP_loop_##name##_next)(from, to);     \
    return next_chunk(ordered, from, to, RADDLE_PROGRAM_CALLER);             \
  }                                                                          \
  RADDLE_EXPORT bool GOMP_loop_ull_##name##_next(Ull* from, Ull* to) {       \
    if (off()) return RADDLE_LIBGOMP(GOMP_loop_ull_##name##_next)(from, to); \
    return next_chunk(ordered, from, to, RADDLE_PROGRAM_CALLER);             \
  }

#define RADDLE_LOOP(name, schedule, ordered)                                                       \
  RADDLE_EXPORT bool GOMP_loop_##name##_start(long start, long end, long step, long chunk,         \
                                              long* from, long* to) {                              \
    if (off()) return RADDLE_LIBGOMP(GOMP_loop_##name##_start)(start, end, step, chunk, from, to); \
    return start_loop(signed_loop(schedule, start, end, step, chunk), ordered, from, to,           \
                      RADDLE_PROGRAM_CALLER);                                                      \
  }                                                                                                \
  RADDLE_EXPORT bool GOMP_loop_ull_##name##_start(bool up, Ull start, Ull end, Ull step,           \
                                                  Ull chunk, Ull* from, Ull* to) {                 \
    if (off())                                                                                     \
      return RADDLE_LIBGOMP(GOMP_loop_ull_##name##_start)(up, start, end, step, chunk, from, to);  \
    return start_loop(make_loop(schedule, up, false, start, end, step, chunk), ordered, from, to,  \
                      RADDLE_PROGRAM_CALLER);                                                      \
  }                                                                                                \
  RADDLE_LOOP_NEXT(name, ordered)

// The schedule comes from the settings: no chunk is given.
#define RADDLE_RUNTIME_LOOP(name, ordered)                                                         \
  RADDLE_EXPORT bool GOMP_loop_##name##_start(long start, long end, long step, long* from,         \
                                              long* to) {                                          \
    if (off()) return RADDLE_LIBGOMP(GOMP_loop_##name##_start)(start, end, step, from, to);        \
    return start_loop(signed_loop(Schedule::runtime, start, end, step, 0), ordered, from, to,      \
                      RADDLE_PROGRAM_CALLER);                                                      \
  }                                                                                                \
  RADDLE_EXPORT bool GOMP_loop_ull_##name##_start(bool up, Ull start, Ull end, Ull step,           \
                                                  Ull* from, Ull* to) {                            \
    if (off())                                                                                     \
      return RADDLE_LIBGOMP(GOMP_loop_ull_##name##_start)(up, start, end, step, from, to);         \
    return start_loop(make_loop(Schedule::runtime, up, false, start, end, step, 0), ordered, from, \
                      to, RADDLE_PROGRAM_CALLER);                                                  \
  }                                                                                                \
  RADDLE_LOOP_NEXT(name, ordered)

RADDLE_LOOP(static, Schedule::fixed, false)
RADDLE_LOOP(dynamic, Schedule::dynamic, false)
RADDLE_LOOP(guided, Schedule::guided, false)
RADDLE_LOOP(nonmonotonic_dynamic, Schedule::dynamic, false)
RADDLE_LOOP(nonmonotonic_guided, Schedule::guided, false)
RADDLE_LOOP(ordered_static, Schedule::fixed, true)
RADDLE_LOOP(ordered_dynamic, Schedule::dynamic, true)
RADDLE_LOOP(ordered_guided, Schedule::guided, true)
RADDLE_RUNTIME_LOOP(runtime, false)
RADDLE_RUNTIME_LOOP(nonmonotonic_runtime, false)
RADDLE_RUNTIME_LOOP(maybe_nonmonotonic_runtime, false)
RADDLE_RUNTIME_LOOP(ordered_runtime, true)

// A region that consists of one loop. The second form is that of gcc before 4.9.
#define RADDLE_PARALLEL_LOOP(name, schedule)                                                      \
  RADDLE_EXPORT void GOMP_parallel_loop_##name(Body function, void* data, unsigned threads,       \
                                               long start, long end, long step, long chunk,       \
                                               unsigned flags) {                                  \
    if (off())                                                                                    \
      return RADDLE_LIBGOMP(GOMP_parallel_loop_##name)(function, data, threads, start, end, step, \
                                                       chunk, flags);                             \
    Loop loop = signed_loop(schedule, start, end, step, chunk);                                   \
    run_team(function, data, threads, &loop, RADDLE_PROGRAM_CALLER);                              \
  }

#define RADDLE_PARALLEL_RUNTIME_LOOP(name)                                                        \
  RADDLE_EXPORT void GOMP_parallel_loop_##name(Body function, void* data, unsigned threads,       \
                                               long start, long end, long step, unsigned flags) { \
    if (off())                                                                                    \
      return RADDLE_LIBGOMP(GOMP_parallel_loop_##name)(function, data, threads, start, end, step, \
                                                       flags);                                    \
    Loop loop = signed_loop(Schedule::runtime, start, end, step, 0);                              \
    run_team(function, data, threads, &loop, RADDLE_PROGRAM_CALLER);                              \
  }

#define RADDLE_PARALLEL_LOOP_START(name, schedule)                                                \
  RADDLE_EXPORT void GOMP_parallel_loop_##name##_start(                                           \
      Body function, void* data, unsigned threads, long start, long end, long step, long chunk) { \
    if (off())                                                                                    \
      return RADDLE_LIBGOMP(GOMP_parallel_loop_##name##_start)(function, data, threads, start,    \
                                                               end, step, chunk);                 \
    Loop loop = signed_loop(schedule, start, end, step, chunk);                                   \
    begin_team(function, data, threads, &loop, RADDLE_PROGRAM_CALLER);                            \
  }

RADDLE_PARALLEL_LOOP(static, Schedule::fixed)
RADDLE_PARALLEL_LOOP(dynamic, Schedule::dynamic)
RADDLE_PARALLEL_LOOP(guided, Schedule::guided)
RADDLE_PARALLEL_LOOP(nonmonotonic_dynamic, Schedule::dynamic)
RADDLE_PARALLEL_LOOP(nonmonotonic_guided, Schedule::guided)
RADDLE_PARALLEL_RUNTIME_LOOP(runtime)
RADDLE_PARALLEL_RUNTIME_LOOP(nonmonotonic_runtime)
RADDLE_PARALLEL_RUNTIME_LOOP(maybe_nonmonotonic_runtime)
RADDLE_PARALLEL_LOOP_START(static, Schedule::fixed)
RADDLE_PARALLEL_LOOP_START(dynamic, Schedule::dynamic)
RADDLE_PARALLEL_LOOP_START(guided, Schedule::guided)

RADDLE_EXPORT void GOMP_parallel_loop_runtime_start(Body function, void* data, unsigned threads,
                                                    long start, long end, long step) {
  if (off())
    return RADDLE_LIBGOMP(GOMP_parallel_loop_runtime_start)(function, data, threads, start, end,
                                                            step);
  Loop loop = signed_loop(Schedule::runtime, start, end, step, 0);
  begin_team(function, data, threads, &loop, RADDLE_PROGRAM_CALLER);
}

// The forms for clauses that need memory of the team's: none of these clauses is supported, but
// without them the functions mean what the others do.
RADDLE_EXPORT bool GOMP_loop_start(long start, long end, long step, long schedule, long chunk,
                                   long* from, long* to, std::uintptr_t* reductions,
                                   void** memory) {
  if (off())
    return RADDLE_LIBGOMP(GOMP_loop_start)(start, end, step, schedule, chunk, from, to, reductions,
                                           memory);
  refuse_extras(reductions, memory);
  if (from == nullptr) return true;
  return start_loop(signed_loop(schedule_of(schedule), start, end, step, chunk), false, from, to,
                    RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT bool GOMP_loop_ordered_start(long start, long end, long step, long schedule,
                                           long chunk, long* from, long* to,
                                           std::uintptr_t* reductions, void** memory) {
  if (off())
    return RADDLE_LIBGOMP(GOMP_loop_ordered_start)(start, end, step, schedule, chunk, from, to,
                                                   reductions, memory);
  refuse_extras(reductions, memory);
  return start_loop(signed_loop(schedule_of(schedule), start, end, step, chunk), true, from, to,
                    RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT bool GOMP_loop_ull_start(bool up, Ull start, Ull end, Ull step, long schedule,
                                       Ull chunk, Ull* from, Ull* to, std::uintptr_t* reductions,
                                       void** memory) {
  if (off())
    return RADDLE_LIBGOMP(GOMP_loop_ull_start)(up, start, end, step, schedule, chunk, from, to,
                                               reductions, memory);
  refuse_extras(reductions, memory);
  if (from == nullptr) return true;
  return start_loop(make_loop(schedule_of(schedule), up, false, start, end, step, chunk), false,
                    from, to, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT bool GOMP_loop_ull_ordered_start(bool up, Ull start, Ull end, Ull step, long schedule,
                                               Ull chunk, Ull* from, Ull* to,
                                               std::uintptr_t* reductions, void** memory) {
  if (off())
    return RADDLE_LIBGOMP(GOMP_loop_ull_ordered_start)(up, start, end, step, schedule, chunk, from,
                                                       to, reductions, memory);
  refuse_extras(reductions, memory);
  return start_loop(make_loop(schedule_of(schedule), up, false, start, end, step, chunk), true,
                    from, to, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_loop_end() {
  if (off()) return RADDLE_LIBGOMP(GOMP_loop_end)();
  leave_share();
  barrier(RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT bool GOMP_loop_end_cancel() {
  if (off()) return RADDLE_LIBGOMP(GOMP_loop_end_cancel)();
  leave_share();
  barrier(RADDLE_PROGRAM_CALLER);
  return false;
}

RADDLE_EXPORT void GOMP_loop_end_nowait() {
  if (off()) return RADDLE_LIBGOMP(GOMP_loop_end_nowait)();
  leave_share();
}
