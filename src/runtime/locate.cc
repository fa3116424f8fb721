// SPDX-License-Identifier: Apache-2.0
//
// The module table and the classification of addresses. Target side.
#include "runtime/locate.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

#include "runtime/cancel.h"
#include "runtime/descriptors.h"
#include "runtime/heap.h"
#include "runtime/memory_map.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace raddle::runtime {

CodeRange main_code;
std::uintptr_t main_image_bytes;
CodeRange main_text;

namespace {

constexpr SiteId kFirstSite = 0x1000;  // 0 stays "unknown"
constexpr std::uintptr_t kPage = 4096;

// Where the objects of the shared table are in this process. The table outlives runs, and lists
// what earlier runs of the server's children had loaded; a site of an object that is loaded again
// is the same as before, wherever the object is now.
struct Mapped {
  std::uintptr_t base;
  std::uintptr_t size;  // 0: not loaded
  bool is_system;       // comes with the system, never instrumented
  CodeKind code;
};
Mapped mapped[wire::kModulesMax];
unsigned long long loads_seen;  // the linker's count of loaded and unloaded objects, last time

bool has_system_name(const char* path) {
  static constexpr const char* kNames[] = {"/libstdc++.so", "/libc.so", "/libgcc_s.so",
                                           "/libc++.so",    "/libm.so", "/libraddle_rt.so"};
  for (const char* name : kNames)
    if (strstr(path, name) != nullptr) return true;
  return false;
}

struct Extent {
  std::uintptr_t low = ~std::uintptr_t{0};
  std::uintptr_t high = 0;
};

Extent extent_of(const dl_phdr_info& info) {
  Extent extent;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    std::uintptr_t low = (info.dlpi_addr + segment.p_vaddr) & ~(kPage - 1);
    std::uintptr_t high = info.dlpi_addr + segment.p_vaddr + segment.p_memsz;
    if (low < extent.low) extent.low = low;
    if (high > extent.high) extent.high = (high + kPage - 1) & ~(kPage - 1);
  }
  return extent;
}

// How far code reaches from the object's beginning. Sites are places in code: variables, of which
// there may be hundreds of megabytes, take none.
std::uint32_t code_span(const dl_phdr_info& info, const Extent& extent) {
  std::uintptr_t end = extent.low;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    std::uintptr_t high = info.dlpi_addr + segment.p_vaddr + segment.p_memsz;
    if (high > end) end = (high + kPage - 1) & ~(kPage - 1);
  }
  return static_cast<std::uint32_t>(end - extent.low);
}

CodeRange text_of(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
      return {info.dlpi_addr + segment.p_vaddr, segment.p_memsz, 0};
  }
  return {};
}

// Instrumented functions begin with a call of a hook.
CodeKind kind_of(const dl_phdr_info& info, const char* path) {
  if (strstr(path, "/libraddle_rt.so") != nullptr) return CodeKind::runtime;
  if (has_system_name(path)) return CodeKind::foreign;
  static constexpr char kHook[] = "__tsan_func_entry";
  const ElfW(Dyn)* entry = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
  const char* names = nullptr;
  std::size_t size = 0;
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRSZ) size = entry->d_un.d_val;
  }
  bool calls = names != nullptr && memmem(names, size, kHook, sizeof kHook) != nullptr;
  return calls ? CodeKind::instrumented : CodeKind::foreign;
}

void copy_path(char (&path)[wire::kModulePathMax], const char* name) {
  if (name[0] != '\0') {
    strncpy(path, name, sizeof path - 1);
    path[sizeof path - 1] = '\0';
    return;
  }
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
}

// The entry of the object that is mapped there, or kModulesMax.
std::uint32_t entry_at(const Extent& extent) {
  for (std::uint32_t m = 0; m < g.shared->module_count; ++m)
    if (mapped[m].base == extent.low && mapped[m].size == extent.high - extent.low) return m;
  return wire::kModulesMax;
}

// The entry of an object that was loaded before, or a new one; kModulesMax if the table is full.
std::uint32_t entry_for(const char* path, std::uint32_t size, SiteId* next_site) {
  wire::SharedHeader& shared = *g.shared;
  for (std::uint32_t m = 0; m < shared.module_count; ++m)
    if (mapped[m].size == 0 && shared.modules[m].size == size &&
        strcmp(shared.modules[m].path, path) == 0)
      return m;
  if (shared.module_count == wire::kModulesMax) return wire::kModulesMax;
  wire::Module& module = shared.modules[shared.module_count];
  module.size = size;
  module.site_base = *next_site;
  *next_site += size;
  strcpy(module.path, path);
  return shared.module_count++;
}

// Whether the object calls a function of this name, or takes its address.
bool imports(const dl_phdr_info& info, const char* name) {
  const ElfW(Dyn)* entry = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
  std::uintptr_t symbols = 0, strings = 0, tables[2] = {}, sizes[2] = {};
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    std::uintptr_t value = entry->d_un.d_val;
    if (entry->d_tag == DT_SYMTAB) symbols = value;
    if (entry->d_tag == DT_STRTAB) strings = value;
    if (entry->d_tag == DT_JMPREL) tables[0] = value;
    if (entry->d_tag == DT_PLTRELSZ) sizes[0] = value;
    if (entry->d_tag == DT_RELA) tables[1] = value;
    if (entry->d_tag == DT_RELASZ) sizes[1] = value;
  }
  for (int i = 0; i < 2; ++i) {
    auto* next = reinterpret_cast<const ElfW(Rela)*>(tables[i]);
    auto* end = reinterpret_cast<const ElfW(Rela)*>(tables[i] + sizes[i]);
    for (; next < end; ++next) {
      std::size_t index = ELF64_R_SYM(next->r_info);
      if (index == 0) continue;
      const ElfW(Sym)& symbol = reinterpret_cast<const ElfW(Sym)*>(symbols)[index];
      if (strcmp(reinterpret_cast<const char*>(strings) + symbol.st_name, name) == 0) return true;
    }
  }
  return false;
}

struct Listing {
  SiteId next_site;
  bool seen[wire::kModulesMax];
};

int add_module(dl_phdr_info* info, std::size_t, void* argument) {
  auto& listing = *static_cast<Listing*>(argument);
  Extent extent = extent_of(*info);
  bool is_vdso = info->dlpi_name != nullptr && strstr(info->dlpi_name, "linux-vdso") != nullptr;
  if (extent.low >= extent.high || is_vdso) return 0;
  std::uint32_t entry = entry_at(extent);
  if (entry == wire::kModulesMax) {
    char path[wire::kModulePathMax];
    copy_path(path, info->dlpi_name);
    auto size = static_cast<std::uint32_t>(extent.high - extent.low);
    entry = entry_for(path, code_span(*info, extent), &listing.next_site);
    if (entry == wire::kModulesMax) return 0;
    g.shared->modules[entry].base = extent.low;
    mapped[entry] = {extent.low, size, has_system_name(path), kind_of(*info, path)};
    if (!mapped[entry].is_system && imports(*info, "pthread_cancel")) cancels_possible = true;
  }
  listing.seen[entry] = true;
  if (main_code.size == 0) {
    const wire::Module& module = g.shared->modules[entry];
    main_code = {extent.low, module.size, module.site_base};
    main_image_bytes = mapped[entry].size;
    main_text = text_of(*info);
  }
  return 0;
}

// Whether anything has been loaded or unloaded since the list was read.
bool list_is_old() {
  unsigned long long loads = 0;
  auto count = [](dl_phdr_info* info, std::size_t, void* result) {
    *static_cast<unsigned long long*>(result) = info->dlpi_adds + info->dlpi_subs;
    return 1;
  };
  borrow_loader_lock();
  RADDLE_REAL(dl_iterate_phdr)(count, &loads);
  return_loader_lock();
  bool old = loads != loads_seen;
  loads_seen = loads;
  return old;
}

std::uint32_t find_mapped(std::uintptr_t address) {
  static std::uint32_t last;  // most lookups hit the module of the one before
  if (address - mapped[last].base < mapped[last].size) return last;
  for (std::uint32_t m = 0; m < g.shared->module_count; ++m)
    if (address - mapped[m].base < mapped[m].size) return last = m;
  return wire::kModulesMax;
}

// An address that is not known may lie in an object whose constructors are just running.
std::uint32_t module_at(std::uintptr_t address) {
  std::uint32_t found = find_mapped(address);
  if (found != wire::kModulesMax || !list_is_old()) return found;
  load_modules();
  return find_mapped(address);
}

// Whether the address lies in the executable's code, right after a call instruction.
bool follows_call(std::uintptr_t pc) {
  if (pc - main_text.base >= main_text.size || pc - main_text.base < 8) return false;
  auto* code = reinterpret_cast<const unsigned char*>(pc);
  auto is_indirect = [&](int back) {
    return code[-back] == 0xff && (code[1 - back] & 0x38) == 0x10;
  };
  return code[-5] == 0xe8 || is_indirect(2) || is_indirect(3) || is_indirect(6) || is_indirect(7);
}

}  // namespace

void load_modules() {
  Listing listing{kFirstSite, {}};
  if (g.shared->module_count > 0) {
    const wire::Module& last = g.shared->modules[g.shared->module_count - 1];
    listing.next_site = last.site_base + last.size;
  }
  borrow_loader_lock();
  RADDLE_REAL(dl_iterate_phdr)(add_module, &listing);
  return_loader_lock();
  for (std::uint32_t m = 0; m < g.shared->module_count; ++m)
    if (!listing.seen[m]) mapped[m].size = 0;
}

SiteId site_in_library(std::uintptr_t pc) {
  std::uint32_t index = module_at(pc);
  if (index == wire::kModulesMax) return 0;
  const wire::Module& module = g.shared->modules[index];
  std::uintptr_t offset = pc - mapped[index].base;
  return offset < module.size ? module.site_base + static_cast<SiteId>(offset) : 0;
}

std::uintptr_t note_library_call(std::uintptr_t pc, std::uintptr_t frame) {
  if (!running()) return pc;
  std::uint32_t index = module_at(pc);
  bool system = index != wire::kModulesMax && mapped[index].is_system;
  g.current->library_frame = system ? frame : 0;
  return pc;
}

CodeKind code_kind(std::uintptr_t pc) {
  std::uint32_t index = module_at(pc);
  return index != wire::kModulesMax ? mapped[index].code : CodeKind::foreign;
}

bool is_system_site(SiteId site) {
  const wire::SharedHeader& shared = *g.shared;
  for (std::uint32_t m = 0; m < shared.module_count; ++m)
    if (site - shared.modules[m].site_base < shared.modules[m].size) return mapped[m].is_system;
  return false;
}

std::uintptr_t nearest_program_pc(const Fiber& fiber, std::uintptr_t from) {
  constexpr unsigned kWordsMax = 512;
  if (from < fiber.stack_low || from >= fiber.stack_high) return 0;
  auto* word = reinterpret_cast<const std::uintptr_t*>(from & ~std::uintptr_t{7});
  for (unsigned i = 0; i < kWordsMax; ++i, ++word) {
    if (reinterpret_cast<std::uintptr_t>(word) >= fiber.stack_high) return 0;
    if (follows_call(*word)) return *word;
  }
  return 0;
}

wire::Location locate_elsewhere(std::uintptr_t address) {
  using wire::Region;
  if (is_descriptor_address(address)) return locate_descriptor(address);
  if (address - kSmallBase < kHeapEnd - kSmallBase) return locate_in_heap(address);
  if (const Fiber* fiber = fiber_of_stack(address))
    return wire::make_location(Region::stack, fiber->id,
                               static_cast<std::uint32_t>(fiber->stack_high - address));
  if (std::uint32_t index = module_at(address); index != wire::kModulesMax)
    return wire::make_location(Region::global, index,
                               static_cast<std::uint32_t>(address - mapped[index].base));
  return wire::make_location(Region::other, static_cast<std::uint32_t>(address >> 32),
                             static_cast<std::uint32_t>(address));
}

}  // namespace raddle::runtime
