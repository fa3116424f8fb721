// SPDX-License-Identifier: Apache-2.0
//
// TLS blocks made, kept and set back. Target side. See tls.h.
#include "runtime/tls.h"

#include <cpuid.h>
#include <dlfcn.h>
#include <immintrin.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/fatal.h"
#include "runtime/heap.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

extern "C" char __libc_single_threaded;

namespace raddle::runtime {

bool has_fsgsbase;

namespace {

// struct pthread begins with glibc's tcbhead_t; these fields are part of the compiler's ABI.
constexpr std::size_t kSelfPointer = 0x0;
constexpr std::size_t kModuleTable = 0x8;
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
  std::ptrdiff_t rseq_offset;    // 0: none
  std::size_t descriptor_bytes;  // 0: unknown
  std::size_t room_below;        // for thread-local variables, in all
} tls;

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

// What is set in every descriptor that the linker has made.
void describe_thread(std::uintptr_t descriptor, ThreadId id) {
  std::uintptr_t model = read_fs_base();
  field<std::uintptr_t>(descriptor, kSelfPointer) = descriptor;
  field<std::uintptr_t>(descriptor, kThreadPointer) = descriptor;
  field<std::int32_t>(descriptor, kMultipleThreads) = 1;
  field<std::uintptr_t>(descriptor, kStackGuard) = field<std::uintptr_t>(model, kStackGuard);
  field<std::uintptr_t>(descriptor, kPointerGuard) = field<std::uintptr_t>(model, kPointerGuard);
  field<std::int32_t>(descriptor, tls.tid_offset) = kFiberTidBase + id;
  // fork() in glibc unlinks the caller from the list of threads: a list of one must be linked.
  std::uintptr_t list = descriptor + tls.list_offset;
  field<std::uintptr_t>(list, 0) = list;
  field<std::uintptr_t>(list, sizeof(void*)) = list;
  // "Not registered": sched_getcpu() then asks the kernel.
  if (tls.rseq_offset != 0)
    field<std::int32_t>(descriptor + static_cast<std::uintptr_t>(tls.rseq_offset), 4) = -2;
}

const Fiber* loader_owner;
std::int32_t own_number;  // of the thread that goes by the owner's

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

// A block of the linker's that stays with the threads of one id, and what it held at first.
constexpr unsigned kKeptMax = 64;
constexpr std::size_t kImageMax = 8192;
constexpr std::size_t kCacheLine = 64;  // descriptors begin at one
constexpr std::size_t kEntriesMax = 128;
struct Kept {
  std::uintptr_t descriptor;  // 0: none
  std::size_t below;          // bytes of thread-local variables, below the descriptor
  std::size_t bytes;          // of the image
  std::size_t entries;        // of the linker's table of the thread's modules
  std::size_t first_open;     // of these: the first that has no block yet
  std::uintptr_t table[kEntriesMax];
  alignas(kCacheLine) unsigned char image[kImageMax];
} kept[kKeptMax];

// The linker's table of a thread: (counter or pointer, what to free) for each module, the length in
// the entry before the first.
std::uintptr_t* module_table(std::uintptr_t descriptor) {
  return field<std::uintptr_t*>(descriptor, kModuleTable);
}

// How far thread-local variables reach below the descriptor. Libraries that were loaded later may
// have got a part of the room that was left, and do not tell where: then all of it counts.
std::size_t variables_below() {
  struct Search {
    std::uintptr_t lowest, thread;
    bool all;
  } search{read_fs_base(), read_fs_base(), false};
  auto visit = [](dl_phdr_info* info, std::size_t, void* argument) {
    auto& found = *static_cast<Search*>(argument);
    auto data = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
    found.all |= info->dlpi_tls_modid != 0 && data == 0;
    // Variables that are made when they are first used lie elsewhere, far away.
    constexpr std::uintptr_t kNear = 1 << 20;
    if (data != 0 && data < found.lowest && found.thread - data < kNear) found.lowest = data;
    return 0;
  };
  RADDLE_REAL(dl_iterate_phdr)(visit, &search);
  return search.all ? tls.room_below : search.thread - search.lowest;
}

// Whether the thread has made no further blocks. Those of the modules that were there at the start
// stay where they are.
bool same_modules(const Kept& block) {
  const std::uintptr_t* table = module_table(block.descriptor);
  if (table[0] != block.table[0]) return false;
  for (std::size_t i = block.first_open; i < block.entries; i += 2)
    if (table[i] != block.table[i]) return false;
  return true;
}

// Remembers a block as it is before its first use, if it can be set back at all.
void keep(std::uintptr_t descriptor, Kept& block) {
  block.descriptor = 0;
  block.below = variables_below();
  block.bytes = block.below + tls.descriptor_bytes;
  const std::uintptr_t* table = module_table(descriptor);
  block.entries = 2 * (table[-2] + 1);
  if (tls.descriptor_bytes == 0 || block.bytes > kImageMax || block.entries > kEntriesMax) return;
  block.descriptor = descriptor;
  memcpy(block.image, reinterpret_cast<void*>(descriptor - block.below), block.bytes);
  memcpy(block.table, table, block.entries * sizeof *table);
  block.first_open = block.entries;
  for (std::size_t i = 2; i < block.entries && block.first_open == block.entries; i += 2)
    if (table[i] == ~std::uintptr_t{0}) block.first_open = i;
}

// The compiler's choice for a copy of this size, a string instruction, takes longer.
__attribute__((target("avx"))) void copy_wide(unsigned char* to, const unsigned char* from,
                                              std::size_t bytes) {
  auto copy_at = [&](std::size_t offset) __attribute__((target("avx"), always_inline)) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + offset),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + offset)));
  };
  if (bytes < 2 * kCacheLine) {
    for (std::size_t at = 0; at < bytes; ++at) to[at] = from[at];
    return;
  }
  // First and last line as they come; in between, stores that cross cache lines would take twice as
  // long.
  copy_at(0);
  copy_at(32);
  std::size_t at = -reinterpret_cast<std::uintptr_t>(to) % kCacheLine;
  for (; at + 2 * kCacheLine <= bytes; at += 2 * kCacheLine) {
    copy_at(at);
    copy_at(at + 32);
    copy_at(at + 64);
    copy_at(at + 96);
  }
  for (; at + 32 <= bytes; at += 32) copy_at(at);
  copy_at(bytes - 32);
  _mm256_zeroupper();
}

bool has_wide_copies;

// Not by the compiler's builtin, which brings a static constructor with it.
bool processor_has_avx() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0 || (c & bit_AVX) == 0)
    return false;
  // The system has to save the registers, too.
  constexpr unsigned kVectorState = 6;
  unsigned enabled = 0;
  __asm__("xgetbv" : "=a"(enabled), "=d"(d) : "c"(0));
  return (enabled & kVectorState) == kVectorState;
}

void set_back(const Kept& block) {
  auto* to = reinterpret_cast<unsigned char*>(block.descriptor - block.below);
  if (has_wide_copies)
    copy_wide(to, block.image, block.bytes);
  else
    memcpy(to, block.image, block.bytes);
}

bool is_kept(const Fiber& fiber) {
  return fiber.id < kKeptMax && kept[fiber.id].descriptor == fiber.thread_pointer;
}

}  // namespace

void init_tls() {
  tls.allocate = reinterpret_cast<void* (*)(void*)>(needed_symbol("_dl_allocate_tls"));
  tls.deallocate = reinterpret_cast<void (*)(void*, bool)>(needed_symbol("_dl_deallocate_tls"));
  tls.ctype_init = reinterpret_cast<void (*)()>(needed_symbol("__ctype_init"));
  tls.tid_offset = described_offset("_thread_db_pthread_tid");
  tls.list_offset = described_offset("_thread_db_pthread_list");
  auto* rseq = static_cast<const std::ptrdiff_t*>(find_symbol(RTLD_DEFAULT, "__rseq_offset"));
  tls.rseq_offset = rseq == nullptr ? 0 : *rseq;
  auto* bytes =
      static_cast<const std::uint32_t*>(find_symbol(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
  tls.descriptor_bytes = bytes == nullptr ? 0 : *bytes;
  auto static_info = reinterpret_cast<void (*)(std::size_t*, std::size_t*)>(
      needed_symbol("_dl_get_tls_static_info"));
  std::size_t block_bytes = 0, alignment = 0;
  static_info(&block_bytes, &alignment);
  tls.room_below = block_bytes - tls.descriptor_bytes;
  has_wide_copies = processor_has_avx();
  has_fsgsbase = (getauxval(AT_HWCAP2) & 2) != 0;
}

std::uintptr_t read_fs_base() {
  std::uintptr_t value;
  __asm__("movq %%fs:0x10, %0" : "=r"(value));
  return value;
}

void set_fs_base_by_system_call(std::uintptr_t value) {
  syscall(SYS_arch_prctl, 0x1002 /* ARCH_SET_FS */, value);
}

bool take_tls(Fiber& fiber) {
  Kept* block = g.in_process && fiber.id < kKeptMax ? &kept[fiber.id] : nullptr;
  if (block != nullptr && block->descriptor != 0) {
    set_back(*block);
    fiber.thread_pointer = block->descriptor;
    return true;
  }
  RuntimeBlocks scope;
  void* made = tls.allocate(nullptr);
  if (made == nullptr) return false;
  fiber.thread_pointer = reinterpret_cast<std::uintptr_t>(made);
  describe_thread(fiber.thread_pointer, fiber.id);
  write_fs_base(fiber.thread_pointer);
  tls.ctype_init();
  write_fs_base(g.current->thread_pointer);
  if (block != nullptr) keep(fiber.thread_pointer, *block);
  return true;
}

void release_tls(Fiber& fiber) {
  unlink(node_of(fiber));
  bool stays = is_kept(fiber) && same_modules(kept[fiber.id]);
  if (!stays) {
    if (is_kept(fiber)) kept[fiber.id].descriptor = 0;
    tls.deallocate(reinterpret_cast<void*>(fiber.thread_pointer), true);
  }
  fiber.former_handle = fiber.thread_pointer;
  fiber.thread_pointer = 0;
}

void drop_kept_tls() {
  for (Kept& block : kept) {
    if (block.descriptor == 0) continue;
    bool in_use = false;
    for (ThreadId id = 1; id < g.thread_count; ++id)
      in_use |= g.fibers[id].thread_pointer == block.descriptor;
    if (!in_use) tls.deallocate(reinterpret_cast<void*>(block.descriptor), true);
    block.descriptor = 0;
  }
}

std::int32_t* kernel_thread_number() {
  return &field<std::int32_t>(g.fibers[0].thread_pointer, tls.tid_offset);
}

void announce_threads() {
  __libc_single_threaded = 0;
  field<std::int32_t>(g.fibers[0].thread_pointer, kMultipleThreads) = 1;
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

bool loader_is_busy() { return loader_owner != nullptr; }

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

}  // namespace raddle::runtime
