// SPDX-License-Identifier: Apache-2.0
//
// Tasks of OpenMP: the functions that gcc's code calls. Target side. Priorities are hints, and the
// schedule does not take them.
#include "runtime/emit.h"
#include "runtime/locate.h"
#include "runtime/openmp.h"

using namespace raddle::runtime;
using namespace raddle::runtime::openmp;

namespace {

using Ull = unsigned long long;
using Body = void (*)(void*);
using Copy = void (*)(void*, void*);

// The bits of the flags argument (libgomp's interface).
constexpr unsigned kFinal = 1 << 1;
constexpr unsigned kDepend = 1 << 3;
constexpr unsigned kUp = 1 << 8;
constexpr unsigned kGrainSize = 1 << 9;
constexpr unsigned kIf = 1 << 10;
constexpr unsigned kNoGroup = 1 << 11;
constexpr unsigned kReduction = 1 << 12;
constexpr unsigned kDetach = 1 << 13;
constexpr unsigned kStrict = 1 << 14;

// How many tasks a taskloop makes.
std::uint64_t task_count(std::uint64_t iterations, unsigned flags, std::uint64_t wanted) {
  if (wanted == 0) wanted = (flags & kGrainSize) != 0 ? 1 : team().size;
  if ((flags & kGrainSize) == 0) return wanted < iterations ? wanted : iterations;
  bool rounds_up = (flags & kStrict) != 0 && iterations % wanted != 0;
  std::uint64_t count = iterations / wanted + (rounds_up ? 1 : 0);
  return count != 0 ? count : 1;
}

void loop_of_tasks(const Loop& loop, TaskRequest request, unsigned flags, std::uint64_t wanted,
                   std::uintptr_t pc) {
  if ((flags & kReduction) != 0) refuse_openmp("taskloop with reduction");
  request.deferred = (flags & kIf) != 0;
  request.is_final = (flags & kFinal) != 0;
  bool grouped = (flags & kNoGroup) == 0;
  if (grouped) open_group();
  if (loop.count > 0) {
    std::uint64_t tasks = task_count(loop.count, flags, wanted);
    bool strict = (flags & (kStrict | kGrainSize)) == (kStrict | kGrainSize);
    std::uint64_t each = strict ? wanted : loop.count / tasks;
    std::uint64_t more = strict ? 0 : loop.count % tasks;
    std::uint64_t first = 0;
    for (std::uint64_t i = 0; i < tasks; ++i) {
      std::uint64_t last = first + each + (i < more ? 1 : 0);
      bool is_last = last >= loop.count;
      std::uint64_t bounds[2] = {loop.start + first * loop.step,
                                 is_last ? loop.end : loop.start + last * loop.step};
      request.bounds = bounds;
      create_task(request, pc);
      first = last;
    }
  }
  if (grouped) close_group(pc);
}

}  // namespace

RADDLE_EXPORT void GOMP_task(Body function, void* data, Copy copy, long size, long alignment,
                             bool deferred, unsigned flags, void** depend, int priority,
                             void* detach) {
  if (off())
    return RADDLE_LIBGOMP(GOMP_task)(function, data, copy, size, alignment, deferred, flags, depend,
                                     priority, detach);
  if ((flags & kDetach) != 0) refuse_openmp("task detach(...)");
  create_task({.function = function,
               .argument = data,
               .copy = copy,
               .size = static_cast<std::size_t>(size),
               .alignment = static_cast<std::size_t>(alignment),
               .deferred = deferred,
               .is_final = (flags & kFinal) != 0,
               .depend = (flags & kDepend) != 0 ? depend : nullptr,
               .bounds = nullptr},
              RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_taskloop(Body function, void* data, Copy copy, long size, long alignment,
                                 unsigned flags, unsigned long tasks, int priority, long start,
                                 long end, long step) {
  if (off())
    return RADDLE_LIBGOMP(GOMP_taskloop)(function, data, copy, size, alignment, flags, tasks,
                                         priority, start, end, step);
  Loop loop = make_loop(Schedule::dynamic, step > 0, true, static_cast<std::uint64_t>(start),
                        static_cast<std::uint64_t>(end), static_cast<std::uint64_t>(step), 1);
  loop_of_tasks(loop,
                {.function = function,
                 .argument = data,
                 .copy = copy,
                 .size = static_cast<std::size_t>(size),
                 .alignment = static_cast<std::size_t>(alignment)},
                flags, tasks, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_taskloop_ull(Body function, void* data, Copy copy, long size,
                                     long alignment, unsigned flags, unsigned long tasks,
                                     int priority, Ull start, Ull end, Ull step) {
  if (off())
    return RADDLE_LIBGOMP(GOMP_taskloop_ull)(function, data, copy, size, alignment, flags, tasks,
                                             priority, start, end, step);
  Loop loop = make_loop(Schedule::dynamic, (flags & kUp) != 0, false, start, end, step, 1);
  loop_of_tasks(loop,
                {.function = function,
                 .argument = data,
                 .copy = copy,
                 .size = static_cast<std::size_t>(size),
                 .alignment = static_cast<std::size_t>(alignment)},
                flags, tasks, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_taskwait() {
  if (off()) return RADDLE_LIBGOMP(GOMP_taskwait)();
  await_children(RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_taskwait_depend(void** depend) {
  if (off()) return RADDLE_LIBGOMP(GOMP_taskwait_depend)(depend);
  await_dependences(depend, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void GOMP_taskyield() {
  if (off()) return RADDLE_LIBGOMP(GOMP_taskyield)();
  if (team().size == 1) return;
  PendingOp& op = step(OpKind::yield, 0, RADDLE_PROGRAM_CALLER);
  emit_step(op, with_caller());
}

RADDLE_EXPORT void GOMP_taskgroup_start() {
  if (off()) return RADDLE_LIBGOMP(GOMP_taskgroup_start)();
  open_group();
}

RADDLE_EXPORT void GOMP_taskgroup_end() {
  if (off()) return RADDLE_LIBGOMP(GOMP_taskgroup_end)();
  close_group(RADDLE_PROGRAM_CALLER);
}
