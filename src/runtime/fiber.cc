// SPDX-License-Identifier: Apache-2.0
//
// Stacks and switching. Target side. TLS blocks are in tls.h.
#include "runtime/fiber.h"

#include <dlfcn.h>
#include <emmintrin.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "runtime/checkpoint.h"
#include "runtime/coroutines.h"
#include "runtime/fatal.h"
#include "runtime/heap.h"
#include "runtime/memory_map.h"
#include "runtime/order.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"
#include "runtime/start.h"
#include "runtime/tls.h"

extern "C" {
void raddle_leave_stack(void* load_from);
void raddle_fiber_entry();
}

namespace raddle::runtime {
namespace {

// Counters and tables together: a small run touches one page of them.
struct StackSlots {
  std::uint32_t used;    // slots handed out at least once
  std::uint32_t opened;  // slots whose pages are accessible
  std::uint32_t free_count;
  struct Slot {
    ThreadId owner;
    std::uint16_t free_entry;  // of the stack of free slots: the one used last is used first
  } table[kMaxThreads];
} slots;
constexpr std::uint32_t kWarmStacks = 64;

std::uintptr_t slot_base(std::uint32_t slot) { return kStacksBase + slot * kStackSlotBytes; }

void open_slots(std::uint32_t count) {
  for (; slots.opened < count && slots.opened < kMaxThreads; ++slots.opened) RADDLE_REAL(mprotect)
  (reinterpret_cast<void*>(slot_base(slots.opened) + kStackGuardBytes),
   kStackSlotBytes - kStackGuardBytes, PROT_READ | PROT_WRITE);
}

// A small stack gets a guard of its own, below what was asked for and what our hooks may need.
void limit_stack(Fiber& fiber, std::size_t size) {
  constexpr std::size_t kForHooks = 32 << 10;
  std::size_t wanted = (size + kForHooks + 0xfff) & ~std::size_t{0xfff};
  fiber.has_own_guard =
      size != 0 && wanted + 2 * kStackGuardBytes < kStackSlotBytes - kStackGuardBytes;
  if (!fiber.has_own_guard) return;
  fiber.stack_low = fiber.stack_high - wanted;
  RADDLE_REAL(mprotect)
  (reinterpret_cast<void*>(fiber.stack_low - kStackGuardBytes), kStackGuardBytes, PROT_NONE);
}

bool has_own_stacks;  // some thread's stack is in no slot

// Our hooks run on the program's stacks, too: with less than this they might not fit.
constexpr std::size_t kGivenStackMin = 64 << 10;

bool take_stack(Fiber& fiber, const StackWish& wish) {
  std::size_t size = wish.size;
  fiber.stack_asked = size;
  if (wish.given != 0 && size >= kGivenStackMin) {
    fiber.has_given_stack = true;
    fiber.stack_slot = kOwnStack;
    fiber.stack_low = wish.given;
    fiber.stack_high = (wish.given + size) & ~std::uintptr_t{15};
    has_own_stacks = true;
    return true;
  }
  if (size > kStackSlotBytes - kStackGuardBytes) {
    size = (size + 0xfff) & ~std::size_t{0xfff};
    void* block = RADDLE_REAL(mmap)(nullptr, size + kStackGuardBytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (block == MAP_FAILED) return false;
    RADDLE_REAL(mprotect)(block, kStackGuardBytes, PROT_NONE);
    fiber.stack_slot = kOwnStack;
    fiber.stack_low = reinterpret_cast<std::uintptr_t>(block) + kStackGuardBytes;
    fiber.stack_high = fiber.stack_low + size;
    forget_shadow(fiber.stack_low, size);  // of what was mapped here before
    has_own_stacks = true;
    return true;
  }
  // Where runs are repeated, threads of a run get stacks of their own as long as there are some
  // warm ones: then nothing has to be forgotten but between runs, where it costs nothing.
  bool prefer_fresh = g.in_process && slots.used < kWarmStacks;
  bool used_before = slots.free_count > 0 && !prefer_fresh;
  fiber.stack_slot = used_before ? slots.table[--slots.free_count].free_entry : slots.used++;
  open_slots(fiber.stack_slot + 1);
  fiber.stack_low = slot_base(fiber.stack_slot) + kStackGuardBytes;
  fiber.stack_high = slot_base(fiber.stack_slot) + kStackSlotBytes;
  slots.table[fiber.stack_slot].owner = fiber.id;
  limit_stack(fiber, size);
  if (used_before) forget_shadow(fiber.stack_low, fiber.stack_high - fiber.stack_low);
  return true;
}

// Of the current thread: how it rounds, and what it traps.
std::uint64_t control_words() {
  std::uint16_t x87;
  __asm__("fnstcw %0" : "=m"(x87));
  return _mm_getcsr() | std::uint64_t{x87} << 32;
}

// A frame that raddle_switch_stack can return into: control words, r15..rbp, return address.
void prepare_stack(Fiber& fiber, FiberEntry entry) {
  auto* top = reinterpret_cast<std::uint64_t*>(fiber.stack_high) - 2;
  std::uint64_t* frame = top - 8;
  memset(frame, 0, 10 * sizeof *frame);
  frame[0] = control_words();                          // a new thread has those of its creator
  frame[3] = reinterpret_cast<std::uint64_t>(&fiber);  // r13
  frame[4] = reinterpret_cast<std::uint64_t>(entry);   // r12
  frame[7] = reinterpret_cast<std::uint64_t>(&raddle_fiber_entry);  // return address
  fiber.stack_pointer = frame;
}

void init_common(Fiber& fiber, ThreadId id) {
  fiber.id = id;
  fiber.view = &g.views[id];
  fiber.lane = lane_of(id);
  fiber.state = FiberState::alive;
  fiber.joiner = fiber.joined_by = fiber.joins = fiber.next_waiter = fiber.previous_waiter =
      kNoThread;
  fiber.creator = kNoThread;
  fiber.epoch = g.epoch_floor + 1;
  fiber.frames = reinterpret_cast<ShadowFrame*>(kFramesBase + kFramesShift +
                                                id * sizeof(ShadowFrame) * kShadowFramesMax);
  fiber.top = fiber.frames;
}

// In one go: the compiler's choice for this size, a string instruction, takes as long as a switch.
void clear_fiber(Fiber& fiber) {
  auto* parts = reinterpret_cast<__m128i*>(&fiber);
  static_assert(offsetof(Fiber, held) % sizeof(__m128i) == 0);
#pragma GCC unroll 32
  for (std::size_t i = 0; i < offsetof(Fiber, held) / sizeof(__m128i); ++i) {
    _mm_store_si128(&parts[i], _mm_setzero_si128());
    __asm__ volatile("" ::: "memory");
  }
}

// The first thread is about to get company. What it has done happened before all that others will
// do, so that nothing can race with it: where only races are looked for, it may be forgotten.
void end_solitude() {
  Fiber& me = *g.current;
  g.alone_epoch = me.epoch;
  if (g.access_mode != AccessMode::alone) return;
  g.access_mode = AccessMode::quick_check;
  g.epoch_floor = me.epoch;
  advance_epoch(me);
}

}  // namespace

void adopt_main_fiber() {
  init_tls();
  reserve_region(kStacksBase, kStackSlotBytes * kMaxThreads, false, "thread stacks");
  reserve_region(kFramesBase, kFramesShift + sizeof(ShadowFrame) * kShadowFramesMax * kMaxThreads,
                 true, "call stacks");
  open_slots(8);  // in the server, so that runs of small programs need no system call for stacks
  Fiber& main = g.fibers[0];
  init_common(main, 0);
  main.is_main = true;
  main.thread_pointer = read_fs_base();
  main.stack_slot = kOwnStack;
  main.stack_high = (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) | 0xfffff) + 1;
  main.stack_low = main.stack_high - (std::uintptr_t{64} << 20);
  memcpy(main.name, "main", 5);
  g.current = &main;
  g.thread_count = g.live_count = 1;
  g.alone_epoch = 0;
  g.enabled.add(0);
}

Fiber* create_fiber(const StackWish& stack, FiberEntry entry) {
  if (g.thread_count == kMaxThreads) {
    // As natively where all of them are alive.
    if (g.live_count == kMaxThreads) return nullptr;
    refuse("the program starts more than 16,383 threads in one run; raddle cannot tell more apart");
  }
  if (g.thread_count == 1 && !g.in_process) {
    checkpoint_before_threads();
    clear_dead_stack();
  }
  Fiber& fiber = g.fibers[g.thread_count];
  clear_fiber(fiber);
  init_common(fiber, g.thread_count);
  view_of(fiber) = {};
  if (!take_tls(fiber)) return nullptr;
  if (!take_stack(fiber, stack)) {
    release_tls(fiber);
    return nullptr;
  }
  // From now on, code that asks whether it may skip atomics must not skip them.
  announce_threads();
  prepare_stack(fiber, entry);
  if (g.thread_count == 1) end_solitude();
  ++g.thread_count;
  ++g.live_count;
  g.cares.many_threads = g.thread_count > 64;
  return &fiber;
}

void recycle_fiber(Fiber& fiber) {
  if (fiber.is_main || fiber.state != FiberState::finished) return;
  fiber.state = FiberState::reaped;
  forget_order(fiber);
  end_coroutine(fiber);
  release_tls(fiber);
  if (fiber.has_own_guard) RADDLE_REAL(mprotect)
  (reinterpret_cast<void*>(fiber.stack_low - kStackGuardBytes), kStackGuardBytes,
   PROT_READ | PROT_WRITE);
  if (fiber.has_given_stack) return;
  if (fiber.stack_slot != kOwnStack)
    slots.table[slots.free_count++].free_entry = static_cast<std::uint16_t>(fiber.stack_slot);
  else
    RADDLE_REAL(munmap)
  (reinterpret_cast<void*>(fiber.stack_low - kStackGuardBytes),
   fiber.stack_high - fiber.stack_low + kStackGuardBytes);
}

void undo_stack_protection() {
  for (ThreadId id = 1; id < g.thread_count; ++id) {
    const Fiber& fiber = g.fibers[id];
    if (fiber.state == FiberState::unused || fiber.state == FiberState::reaped) continue;
    void* guard = reinterpret_cast<void*>(fiber.stack_low - kStackGuardBytes);
    if (fiber.has_own_guard) RADDLE_REAL(mprotect)(guard, kStackGuardBytes, PROT_READ | PROT_WRITE);
    if (fiber.stack_slot == kOwnStack && !fiber.has_given_stack)
      RADDLE_REAL(munmap)(guard, fiber.stack_high - fiber.stack_low + kStackGuardBytes);
  }
}

void end_other_fibers() {
  for (ThreadId id = 1; id < g.thread_count; ++id) {
    Fiber& fiber = g.fibers[id];
    if (fiber.state == FiberState::alive) fiber.state = FiberState::finished;
    recycle_fiber(fiber);
  }
  zombie = nullptr;
  slots.used = slots.free_count = 0;
  Fiber& main = g.fibers[0];
  g.current = &main;
  g.thread_count = g.live_count = 1;
  g.timer_threads = 0;
  g.cares.many_threads = false;
  g.alone_epoch = 0;
  g.enabled.clear();
  g.enabled.add(0);
}

void renew_main_fiber() {
  Fiber& main = g.fibers[0];
  forget_order(main);
  std::uintptr_t high = main.stack_high;
  clear_fiber(main);
  init_common(main, 0);
  main.is_main = true;
  main.thread_pointer = read_fs_base();
  main.stack_slot = kOwnStack;
  memcpy(main.name, "main", 5);
  place_main_stack(high);
}

void place_main_stack(std::uintptr_t frame) {
  // What callers hold lies above; stacks of this size are not expected.
  constexpr std::uintptr_t kCallers = 64 << 10, kBelow = std::uintptr_t{64} << 20;
  Fiber& main = g.fibers[0];
  main.stack_high = frame + kCallers;
  main.stack_low = main.stack_high - kBelow;
}

Fiber* zombie;

void recycle_zombie() {
  Fiber* dead = zombie;
  zombie = nullptr;
  if (dead->detached || dead->joined_by != kNoThread) recycle_fiber(*dead);
}

LeftStack* leave_to(Fiber& to) {
  zombie = g.current;
  // Where most accesses end at what the shadow remembers, those to a dead stack must not.
  if (g.access_mode == AccessMode::check && !g.in_process && !zombie->has_given_stack)
    forget_shadow(zombie->stack_low, zombie->stack_high - zombie->stack_low);
  g.current = &to;
  write_fs_base(to.thread_pointer);
  return static_cast<LeftStack*>(to.stack_pointer);
}

void go_on(LeftStack* stack) {
  raddle_leave_stack(stack);
  __builtin_unreachable();
}

bool is_dead_slot(std::uintptr_t slot) {
  return slot < slots.used && g.fibers[slots.table[slot].owner].state != FiberState::alive &&
         slots.table[slot].owner != g.current->id;
}

Fiber* fiber_of_stack(std::uintptr_t address) {
  std::uintptr_t slot = (address - kStacksBase) / kStackSlotBytes;
  if (address >= kStacksBase && slot < slots.used) return &g.fibers[slots.table[slot].owner];
  const Fiber& main = g.fibers[0];
  if (address >= main.stack_low && address < main.stack_high) return &g.fibers[0];
  if (!has_own_stacks) return nullptr;
  for (ThreadId id = 0; id < g.thread_count; ++id) {
    Fiber& fiber = g.fibers[id];
    bool alive = fiber.state == FiberState::alive || fiber.state == FiberState::finished;
    if (alive && address >= fiber.stack_low && address < fiber.stack_high) return &fiber;
  }
  return nullptr;
}

}  // namespace raddle::runtime
