// SPDX-License-Identifier: Apache-2.0
//
// See recurrence.h.
#include "runtime/recurrence.h"

#include <sys/mman.h>

#include "runtime/digest.h"
#include "runtime/heap.h"
#include "runtime/objects.h"
#include "runtime/page_scan.h"
#include "runtime/program_frame.h"
#include "runtime/runtime.h"

extern "C" const char __ehdr_start[] __attribute__((visibility("hidden")));
extern "C" const char _end[] __attribute__((visibility("hidden")));

namespace raddle::runtime {
namespace {

constexpr StepIndex kNever = ~StepIndex{0};

// Long enough for every thread of a cycle to pass a point, so that its frame is known.
constexpr StepIndex kStepsBefore = 1024;
constexpr StepIndex kStepsWatched = 20'000;
// Looking at all memory takes a while: so often, and so many bytes in all.
constexpr unsigned kLooksMax = 512;
constexpr std::uint64_t kBytesMax = std::uint64_t{2} << 30;
// A mapping of which it is not known what is there.
constexpr std::uintptr_t kMappingMax = 64 << 20;

enum class Phase : std::uint8_t { off, before, watching, over };

struct Watch {
  Phase phase;
  StepIndex until;  // of the phase
  ThreadId thread;  // who was current in the state that may come back
  SiteId site;
  std::uint64_t threads, memory;  // digests of that state
  unsigned looks;
  std::uint64_t bytes;
} watch;

ProgramFrame frames[kMaxThreads];  // where each thread left the program for its last point

void add_op(Digest& digest, const model::PendingOp& op) {
  digest.add(static_cast<std::uint64_t>(op.kind) << 32 | op.site);
  digest.add(op.address);
  digest.add(op.second);
  digest.add(op.other);
}

void add_thread(Digest& digest, const Fiber& fiber, std::uintptr_t first_stack_end) {
  digest.add(fiber.id);
  add_op(digest, view_of(fiber).op);
  digest.add(std::uint64_t{g.enabled.contains(fiber.id)} << 5 | std::uint64_t{fiber.on_cond} << 4 |
             std::uint64_t{fiber.signalled} << 3 | std::uint64_t{fiber.timed_out} << 2 |
             std::uint64_t{fiber.interrupted} << 1 | std::uint64_t{fiber.cancel_requested});
  digest.add(fiber.deadline_ns);
  digest.add(reinterpret_cast<std::uintptr_t>(fiber.queued_on));
  const ProgramFrame& frame = frames[fiber.id];
  std::uintptr_t from =
      frame.stack != 0 ? frame.stack : reinterpret_cast<std::uintptr_t>(fiber.stack_pointer);
  std::uintptr_t end = fiber.is_main && first_stack_end > from ? first_stack_end : fiber.stack_high;
  if (frame.stack != 0)
    for (std::uint64_t value : frame.registers) digest.add(value);
  digest.add(from);
  digest.add_memory(from, end - from);
}

std::uintptr_t end_of_first_stack() {
  std::uintptr_t end = 0;
  for_each_mapping([&](const Mapping& mapping) {
    if (mapping.is_stack) end = mapping.end;
    return true;
  });
  return end;
}

std::uint64_t digest_threads() {
  Digest digest;
  digest.add(g.now_ns);
  digest.add(g.live_count);
  std::uintptr_t first_stack_end = end_of_first_stack();
  for (ThreadId id = 0; id < g.thread_count; ++id)
    if (g.fibers[id].state == FiberState::alive) add_thread(digest, g.fibers[id], first_stack_end);
  return digest.value();
}

// Regions of the runtime, and the heap and the stacks, which are looked at in other ways.
bool is_left_out(std::uintptr_t address) {
  return (address >= kShadowBase && address - kShadowBase < kShadowBytes) ||
         (address >= kSmallBase && address < kResidentEnd);
}

// False: it cannot be known.
bool add_range(Digest& digest, std::uintptr_t begin, std::uintptr_t end) {
  auto add = [&](std::uintptr_t first, std::uintptr_t last) {
    watch.bytes += last - first;
    digest.add_memory(first, last - first);
    return watch.bytes <= kBytesMax;
  };
  if (for_each_own_range(begin, end, add)) return true;
  if (end - begin > kMappingMax) return false;
  return add(begin, end);
}

bool add_mapping(Digest& digest, const Mapping& mapping) {
  constexpr int kReadWrite = PROT_READ | PROT_WRITE;
  bool counts = mapping.is_private && (mapping.protection & kReadWrite) == kReadWrite;
  if (!counts || mapping.is_stack || is_left_out(mapping.begin)) return true;
  auto own_begin = reinterpret_cast<std::uintptr_t>(__ehdr_start);
  auto own_end = reinterpret_cast<std::uintptr_t>(_end);
  own_end = (own_end + kPageBytes - 1) & ~(kPageBytes - 1);
  if (mapping.end <= own_begin || mapping.begin >= own_end)
    return add_range(digest, mapping.begin, mapping.end);
  // What follows the runtime's variables may have become one mapping with them.
  return mapping.end <= own_end || add_range(digest, own_end, mapping.end);
}

// 0: it cannot be known.
std::uint64_t digest_memory() {
  Digest digest;
  if (++watch.looks > kLooksMax) return 0;
  auto add_block = [&](std::uintptr_t payload, std::size_t size) {
    watch.bytes += size;
    if (watch.bytes <= kBytesMax) digest.add_memory(payload, size);
  };
  for_each_live_block(add_block);
  std::span<const SyncObject> objects = all_objects();
  digest.add_memory(reinterpret_cast<std::uintptr_t>(objects.data()), objects.size_bytes());
  if (watch.bytes > kBytesMax) return 0;
  auto add = [&](const Mapping& mapping) { return add_mapping(digest, mapping); };
  bool known = for_each_mapping(add);
  return known ? digest.value() | 1 : 0;
}

void end_watch() { watch.phase = Phase::over; }

void keep_state() {
  watch = {.phase = Phase::watching,
           .until = g.step + kStepsWatched,
           .thread = g.current->id,
           .site = view_of(*g.current).op.site,
           .threads = digest_threads(),
           .memory = digest_memory(),
           .looks = watch.looks,
           .bytes = watch.bytes};
  if (watch.memory == 0) end_watch();
}

void compare_state() {
  if (g.current->id != watch.thread || view_of(*g.current).op.site != watch.site) return;
  if (digest_threads() != watch.threads) return;
  std::uint64_t memory = digest_memory();
  if (memory == watch.memory) g.shared->recurred_at = g.step;
  if (memory == watch.memory || memory == 0) end_watch();
}

}  // namespace

StepIndex prepare_recurrence() {
  const wire::Plan& plan = g.shared->plan;
  StepIndex from = plan.recurrence_from;
  watch = {};
  g.shared->recurred_at = 0;
  if (from == 0 || from >= plan.max_steps) return kNever;
  load_unwinder();
  watch.phase = Phase::before;
  StepIndex quarter = (plan.max_steps - from) / 4;
  watch.until = from + (quarter < kStepsBefore ? quarter : kStepsBefore);
  return from;
}

StepIndex watch_recurrence() {
  StepIndex from = g.shared->plan.recurrence_from;
  if (watch.phase == Phase::off || watch.phase == Phase::over) return kNever;
  if (g.step < from) return from;
  bool late = g.step >= watch.until;
  if (g.current->state == FiberState::alive) frames[g.current->id] = find_program_frame();
  if (watch.phase == Phase::before && late)
    keep_state();
  else if (watch.phase == Phase::watching && !late)
    compare_state();
  else if (late)
    end_watch();
  return watch.phase == Phase::over ? kNever : g.step + 1;
}

}  // namespace raddle::runtime
