// SPDX-License-Identifier: Apache-2.0
//
// The module table and the classification of addresses. Target side.
#include "runtime/locate.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

#include "runtime/descriptors.h"
#include "runtime/heap.h"
#include "runtime/memory_map.h"
#include "runtime/runtime.h"

namespace raddle::runtime {

CodeRange main_code;
CodeRange main_text;

namespace {

constexpr SiteId kFirstSite = 0x1000;  // 0 stays "unknown"
constexpr std::uintptr_t kPage = 4096;

bool is_system[wire::kModulesMax];  // libraries that come with the system, never instrumented

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

CodeRange text_of(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
      return {info.dlpi_addr + segment.p_vaddr, segment.p_memsz, 0};
  }
  return {};
}

bool known(const Extent& extent) {
  for (std::uint32_t m = 0; m < g.shared->module_count; ++m)
    if (g.shared->modules[m].base == extent.low) return true;
  return false;
}

void copy_path(wire::Module& module, const char* name) {
  if (name[0] != '\0') {
    strncpy(module.path, name, sizeof module.path - 1);
    return;
  }
  ssize_t length = readlink("/proc/self/exe", module.path, sizeof module.path - 1);
  module.path[length > 0 ? length : 0] = '\0';
}

int add_module(dl_phdr_info* info, std::size_t, void* next_site) {
  Extent extent = extent_of(*info);
  wire::SharedHeader& shared = *g.shared;
  if (extent.low >= extent.high || known(extent) || shared.module_count == wire::kModulesMax)
    return 0;
  bool is_vdso = info->dlpi_name != nullptr && strstr(info->dlpi_name, "linux-vdso") != nullptr;
  if (is_vdso) return 0;
  SiteId& site = *static_cast<SiteId*>(next_site);
  wire::Module& module = shared.modules[shared.module_count++];
  module.base = extent.low;
  module.size = static_cast<std::uint32_t>(extent.high - extent.low);
  module.site_base = site;
  site += module.size;
  copy_path(module, info->dlpi_name);
  is_system[shared.module_count - 1] = has_system_name(module.path);
  if (shared.module_count == 1) {
    main_code = {extent.low, module.size, module.site_base};
    main_text = text_of(*info);
  }
  return 0;
}

const wire::Module* module_at(std::uintptr_t address, std::uint32_t* index) {
  static std::uint32_t last;  // most lookups hit the module of the one before
  const wire::SharedHeader& shared = *g.shared;
  if (last < shared.module_count &&
      address - shared.modules[last].base < shared.modules[last].size) {
    *index = last;
    return &shared.modules[last];
  }
  for (std::uint32_t m = 0; m < shared.module_count; ++m)
    if (address - shared.modules[m].base < shared.modules[m].size) {
      *index = last = m;
      return &shared.modules[m];
    }
  return nullptr;
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
  SiteId next_site = kFirstSite;
  if (g.shared->module_count > 0) {
    const wire::Module& last = g.shared->modules[g.shared->module_count - 1];
    next_site = last.site_base + last.size;
  }
  dl_iterate_phdr(add_module, &next_site);
}

SiteId site_in_library(std::uintptr_t pc) {
  std::uint32_t index;
  const wire::Module* module = module_at(pc, &index);
  if (module == nullptr) return 0;
  return module->site_base + static_cast<SiteId>(pc - module->base);
}

std::uintptr_t nearest_program_pc(std::uintptr_t from) {
  constexpr unsigned kWordsMax = 512;
  const Fiber& me = *g.current;
  if (from < me.stack_low || from >= me.stack_high) return 0;
  auto* word = reinterpret_cast<const std::uintptr_t*>(from & ~std::uintptr_t{7});
  for (unsigned i = 0; i < kWordsMax; ++i, ++word) {
    if (reinterpret_cast<std::uintptr_t>(word) >= me.stack_high) return 0;
    if (follows_call(*word)) return *word;
  }
  return 0;
}

std::uintptr_t program_pc_above(std::uintptr_t pc, std::uintptr_t frame) {
  std::uint32_t index;
  if (!running() || module_at(pc, &index) == nullptr || !is_system[index]) return pc;
  std::uintptr_t above = nearest_program_pc(frame);
  return above != 0 ? above : pc;
}

wire::Location locate_elsewhere(std::uintptr_t address) {
  using wire::Region;
  if (is_descriptor_address(address)) return locate_descriptor(address);
  if (address - kSmallBase < kHeapEnd - kSmallBase) return locate_in_heap(address);
  if (const Fiber* fiber = fiber_of_stack(address))
    return wire::make_location(Region::stack, fiber->id,
                               static_cast<std::uint32_t>(fiber->stack_high - address));
  std::uint32_t index;
  if (const wire::Module* module = module_at(address, &index))
    return wire::make_location(Region::global, index,
                               static_cast<std::uint32_t>(address - module->base));
  return wire::make_location(Region::other, static_cast<std::uint32_t>(address >> 32),
                             static_cast<std::uint32_t>(address));
}

}  // namespace raddle::runtime
