// SPDX-License-Identifier: Apache-2.0
//
// Stacks, TLS blocks and switching. Target side.
//
// TLS blocks come from the dynamic linker's own allocator (_dl_allocate_tls), as for a real thread.
// The few fields of glibc's thread descriptor that must be right are found through the descriptions
// that glibc exports for debuggers (_thread_db_*), so no offset of a particular version is assumed.
#include "runtime/fiber.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "runtime/fatal.h"
#include "runtime/heap.h"
#include "runtime/memory_map.h"
#include "runtime/order.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"

extern "C" {
void raddle_switch_stack(void** save_to, void* load_from);
void raddle_fiber_entry();
extern char __libc_single_threaded;
}

namespace raddle::runtime {
namespace {

// struct pthread begins with glibc's tcbhead_t; these fields are part of the compiler's ABI.
constexpr std::size_t kSelfPointer = 0x0;
constexpr std::size_t kThreadPointer = 0x10;
constexpr std::size_t kMultipleThreads = 0x18;
constexpr std::size_t kStackGuard = 0x28;
constexpr std::size_t kPointerGuard = 0x30;

// Distinguishes fibers in the descriptor's tid field, far above any real thread id.
constexpr std::int32_t kFiberTidBase = 0x40000000;

struct TlsFunctions {
  void* (*allocate)(void*);
  void (*deallocate)(void*, bool);
  void (*ctype_init)();
  std::size_t tid_offset;
  std::size_t list_offset;
  std::ptrdiff_t rseq_offset;  // 0: none
  bool fsgsbase;
} tls;

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
const Fiber* loader_owner;
std::int32_t own_number;  // of the thread that goes by the owner's
Fiber* zombie;            // left its stack; recycled by whoever runs next

std::uintptr_t read_fs_base() {
  std::uintptr_t value;
  __asm__("movq %%fs:0x10, %0" : "=r"(value));
  return value;
}

void write_fs_base(std::uintptr_t value) {
  if (__builtin_expect(tls.fsgsbase, 1))
    __asm__ volatile("wrfsbase %0" ::"r"(value) : "memory");
  else
    syscall(SYS_arch_prctl, 0x1002 /* ARCH_SET_FS */, value);
}

template <class T>
T& field(std::uintptr_t descriptor, std::size_t offset) {
  return *reinterpret_cast<T*>(descriptor + offset);
}

// glibc describes a field as {bits, count, offset}.
std::size_t described_offset(const char* symbol) {
  auto* description = static_cast<const std::uint32_t*>(find_symbol(RTLD_DEFAULT, symbol));
  if (description == nullptr)
    refuse(
        "this C library does not describe its thread descriptors; raddle needs glibc 2.34 or "
        "later");
  return description[2];
}

void* needed_symbol(const char* name) {
  void* symbol = find_symbol(RTLD_DEFAULT, name);
  if (symbol == nullptr)
    refuse("this C library cannot allocate TLS for fibers; raddle needs glibc 2.34 or later");
  return symbol;
}

void find_tls_functions() {
  tls.allocate = reinterpret_cast<void* (*)(void*)>(needed_symbol("_dl_allocate_tls"));
  tls.deallocate = reinterpret_cast<void (*)(void*, bool)>(needed_symbol("_dl_deallocate_tls"));
  tls.ctype_init = reinterpret_cast<void (*)()>(needed_symbol("__ctype_init"));
  tls.tid_offset = described_offset("_thread_db_pthread_tid");
  tls.list_offset = described_offset("_thread_db_pthread_list");
  auto* rseq = static_cast<const std::ptrdiff_t*>(find_symbol(RTLD_DEFAULT, "__rseq_offset"));
  tls.rseq_offset = rseq == nullptr ? 0 : *rseq;
  tls.fsgsbase = (getauxval(AT_HWCAP2) & 2) != 0;
}

std::uintptr_t slot_base(std::uint32_t slot) { return kStacksBase + slot * kStackSlotBytes; }

void open_slots(std::uint32_t count) {
  for (; slots.opened < count && slots.opened < kMaxThreads; ++slots.opened)
    mprotect(reinterpret_cast<void*>(slot_base(slots.opened) + kStackGuardBytes),
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
  mprotect(reinterpret_cast<void*>(fiber.stack_low - kStackGuardBytes), kStackGuardBytes,
           PROT_NONE);
}

bool has_own_stacks;  // some thread's stack is too large for a slot

bool take_stack(Fiber& fiber, std::size_t size) {
  if (size > kStackSlotBytes - kStackGuardBytes) {
    size = (size + 0xfff) & ~std::size_t{0xfff};
    void* block = RADDLE_REAL(mmap)(nullptr, size + kStackGuardBytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (block == MAP_FAILED) return false;
    mprotect(block, kStackGuardBytes, PROT_NONE);
    fiber.stack_slot = kOwnStack;
    fiber.stack_low = reinterpret_cast<std::uintptr_t>(block) + kStackGuardBytes;
    fiber.stack_high = fiber.stack_low + size;
    forget_shadow(fiber.stack_low, size);  // of what was mapped here before
    has_own_stacks = true;
    return true;
  }
  bool used_before = slots.free_count > 0;
  fiber.stack_slot = used_before ? slots.table[--slots.free_count].free_entry : slots.used++;
  open_slots(fiber.stack_slot + 1);
  fiber.stack_low = slot_base(fiber.stack_slot) + kStackGuardBytes;
  fiber.stack_high = slot_base(fiber.stack_slot) + kStackSlotBytes;
  slots.table[fiber.stack_slot].owner = fiber.id;
  limit_stack(fiber, size);
  if (used_before) forget_shadow(fiber.stack_low, fiber.stack_high - fiber.stack_low);
  return true;
}

bool take_tls(Fiber& fiber) {
  RuntimeBlocks scope;
  void* block = tls.allocate(nullptr);
  if (block == nullptr) return false;
  auto descriptor = reinterpret_cast<std::uintptr_t>(block);
  std::uintptr_t model = read_fs_base();
  field<std::uintptr_t>(descriptor, kSelfPointer) = descriptor;
  field<std::uintptr_t>(descriptor, kThreadPointer) = descriptor;
  field<std::int32_t>(descriptor, kMultipleThreads) = 1;
  field<std::uintptr_t>(descriptor, kStackGuard) = field<std::uintptr_t>(model, kStackGuard);
  field<std::uintptr_t>(descriptor, kPointerGuard) = field<std::uintptr_t>(model, kPointerGuard);
  field<std::int32_t>(descriptor, tls.tid_offset) = kFiberTidBase + fiber.id;
  // fork() in glibc unlinks the caller from the list of threads: a list of one must be linked.
  std::uintptr_t list = descriptor + tls.list_offset;
  field<std::uintptr_t>(list, 0) = list;
  field<std::uintptr_t>(list, sizeof(void*)) = list;
  // "Not registered": sched_getcpu() then asks the kernel.
  if (tls.rseq_offset != 0)
    field<std::int32_t>(descriptor + static_cast<std::uintptr_t>(tls.rseq_offset), 4) = -2;
  fiber.thread_pointer = descriptor;
  return true;
}

// A frame that raddle_switch_stack can return into: control words, r15..rbp, return address.
void prepare_stack(Fiber& fiber, void (*entry)(Fiber*)) {
  auto* top = reinterpret_cast<std::uint64_t*>(fiber.stack_high) - 2;
  std::uint64_t* frame = top - 8;
  memset(frame, 0, 10 * sizeof *frame);
  frame[0] = 0x0000037f'00001f80;  // x87 control word, mxcsr: the defaults of a new thread
  frame[3] = reinterpret_cast<std::uint64_t>(&fiber);               // r13
  frame[4] = reinterpret_cast<std::uint64_t>(entry);                // r12
  frame[7] = reinterpret_cast<std::uint64_t>(&raddle_fiber_entry);  // return address
  fiber.stack_pointer = frame;
}

void init_common(Fiber& fiber, ThreadId id) {
  fiber.id = id;
  fiber.state = FiberState::alive;
  fiber.joiner = fiber.joined_by = fiber.joins = fiber.next_waiter = fiber.previous_waiter =
      kNoThread;
  fiber.creator = kNoThread;
  fiber.frames =
      reinterpret_cast<ShadowFrame*>(kFramesBase + id * sizeof(ShadowFrame) * kShadowFramesMax);
  fiber.top = fiber.frames;
}

struct ListNode {
  ListNode* next;
  ListNode* previous;
};

ListNode& node_of(const Fiber& fiber) {
  return field<ListNode>(fiber.thread_pointer, tls.list_offset);
}

// A node that is in no list is linked to itself, so that this can be done to every node.
void unlink(ListNode& node) {
  node.previous->next = node.next;
  node.next->previous = node.previous;
  node.next = node.previous = &node;
}

void after_switch() {
  if (__builtin_expect(zombie != nullptr, 0)) {
    Fiber* dead = zombie;
    zombie = nullptr;
    if (dead->detached || dead->joined_by != kNoThread) recycle_fiber(*dead);
  }
}

}  // namespace

void adopt_main_fiber() {
  find_tls_functions();
  reserve_region(kStacksBase, kStackSlotBytes * kMaxThreads, false, "thread stacks");
  reserve_region(kFramesBase, sizeof(ShadowFrame) * kShadowFramesMax * kMaxThreads, true,
                 "call stacks");
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
  g.enabled.add(0);
}

Fiber* create_fiber(std::size_t stack_size, void (*entry)(Fiber*)) {
  if (g.thread_count == kMaxThreads) return nullptr;
  Fiber& fiber = g.fibers[g.thread_count];
  init_common(fiber, g.thread_count);
  if (!take_tls(fiber)) return nullptr;
  if (!take_stack(fiber, stack_size)) {
    tls.deallocate(reinterpret_cast<void*>(fiber.thread_pointer), true);
    return nullptr;
  }
  // From now on, code that asks whether it may skip atomics must not skip them.
  __libc_single_threaded = 0;
  field<std::int32_t>(g.fibers[0].thread_pointer, kMultipleThreads) = 1;
  prepare_stack(fiber, entry);
  ++g.thread_count;
  ++g.live_count;
  return &fiber;
}

void recycle_fiber(Fiber& fiber) {
  if (fiber.is_main || fiber.state != FiberState::finished) return;
  fiber.state = FiberState::reaped;
  forget_order(fiber);
  unlink(node_of(fiber));
  tls.deallocate(reinterpret_cast<void*>(fiber.thread_pointer), true);
  fiber.former_handle = fiber.thread_pointer;
  fiber.thread_pointer = 0;
  if (fiber.has_own_guard)
    mprotect(reinterpret_cast<void*>(fiber.stack_low - kStackGuardBytes), kStackGuardBytes,
             PROT_READ | PROT_WRITE);
  if (fiber.stack_slot != kOwnStack)
    slots.table[slots.free_count++].free_entry = static_cast<std::uint16_t>(fiber.stack_slot);
  else
    RADDLE_REAL(munmap)
  (reinterpret_cast<void*>(fiber.stack_low - kStackGuardBytes),
   fiber.stack_high - fiber.stack_low + kStackGuardBytes);
}

void switch_to(Fiber& to) {
  Fiber* from = g.current;
  g.current = &to;
  write_fs_base(to.thread_pointer);
  raddle_switch_stack(&from->stack_pointer, to.stack_pointer);
  after_switch();
}

void leave_to(Fiber& to) {
  zombie = g.current;
  // Where most accesses end at what the shadow remembers, those to a dead stack must not.
  if (g.access_mode == AccessMode::check)
    forget_shadow(zombie->stack_low, zombie->stack_high - zombie->stack_low);
  switch_to(to);
  RADDLE_CHECK(!"a finished fiber runs again");
  __builtin_unreachable();
}

void begin_fiber() {
  after_switch();
  tls.ctype_init();
}

void link_fibers() {
  ListNode& first = node_of(g.fibers[0]);
  for (ThreadId id = 1; id < g.thread_count; ++id) {
    if (g.fibers[id].state != FiberState::alive) continue;
    ListNode& node = node_of(g.fibers[id]);
    if (node.next != &node) continue;  // a nested call
    node = {first.next, &first};
    first.next->previous = &node;
    first.next = &node;
  }
}

void unlink_fibers() {
  for (ThreadId id = 1; id < g.thread_count; ++id)
    if (g.fibers[id].thread_pointer != 0) unlink(node_of(g.fibers[id]));
}

void set_loader_owner(const Fiber* fiber) { loader_owner = fiber; }

void borrow_loader_lock() {
  if (loader_owner == nullptr) return;
  own_number = field<std::int32_t>(g.current->thread_pointer, tls.tid_offset);
  field<std::int32_t>(g.current->thread_pointer, tls.tid_offset) =
      field<std::int32_t>(loader_owner->thread_pointer, tls.tid_offset);
}

void return_loader_lock() {
  if (loader_owner == nullptr) return;
  field<std::int32_t>(g.current->thread_pointer, tls.tid_offset) = own_number;
}

Fiber* fiber_of(std::uintptr_t thread) {
  if (thread == g.fibers[0].thread_pointer) return &g.fibers[0];
  if (thread == 0) return nullptr;
  std::int32_t id = field<std::int32_t>(thread, tls.tid_offset) - kFiberTidBase;
  if (id <= 0 || id >= g.thread_count) return nullptr;
  Fiber& fiber = g.fibers[id];
  return fiber.thread_pointer == thread ? &fiber : nullptr;
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
