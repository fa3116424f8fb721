// SPDX-License-Identifier: Apache-2.0
//
// Opening objects with libdwfl, one session for each, so that objects with overlapping fixed
// addresses do not meet. Engine side.
//
// The standard callback that finds separate debug files would also ask debuginfod servers named by
// the environment; ours only looks at files. Units are indexed by their own ranges because clang
// writes no .debug_aranges, on which libdwfl's lookups by address rely.
#include "report/dwarf_module.h"

#include <cxxabi.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace raddle::report {
namespace {

constexpr const char* kDebugRoot = "/usr/lib/debug";
constexpr Dwarf_Addr kPageMask = 0xfff;

struct BuildId {
  const unsigned char* bits = nullptr;
  int length = 0;
};

BuildId build_id(Dwfl_Module* module) {
  BuildId id;
  GElf_Addr where = 0;
  id.length = dwfl_module_build_id(module, &id.bits, &where);
  return id;
}

// A debug file left over from another build would give wrong lines.
bool belongs_to(int fd, const BuildId& id) {
  if (id.length <= 0) return true;
  Elf* elf = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  if (elf == nullptr) return false;
  const void* bits = nullptr;
  ssize_t length = dwelf_elf_gnu_build_id(elf, &bits);
  bool same = length == id.length && std::memcmp(bits, id.bits, id.length) == 0;
  elf_end(elf);
  return same;
}

int open_debug_file(const std::string& path, const BuildId& id, char** chosen) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  if (!belongs_to(fd, id)) {
    ::close(fd);
    return -1;
  }
  *chosen = strdup(path.c_str());
  return fd;
}

int find_debug_file(Dwfl_Module* module, void**, const char*, Dwarf_Addr, const char* file,
                    const char* link, GElf_Word, char** chosen) {
  BuildId id = build_id(module);
  std::vector<std::string> candidates;
  if (id.length > 2) {
    std::string hex;
    for (int i = 0; i < id.length; ++i) hex += fmt::format("{:02x}", id.bits[i]);
    candidates.push_back(
        fmt::format("{}/.build-id/{}/{}.debug", kDebugRoot, hex.substr(0, 2), hex.substr(2)));
  }
  if (link != nullptr && link[0] == '/') {
    candidates.push_back(link);  // the shared part of several debug files has its own identity
    id = {};
  } else if (link != nullptr && file != nullptr) {
    std::string path = file;
    std::string folder = path.substr(0, path.rfind('/') + 1);
    candidates.push_back(folder + link);
    candidates.push_back(folder + ".debug/" + link);
    candidates.push_back(kDebugRoot + folder + link);
  }
  for (const std::string& candidate : candidates) {
    int fd = open_debug_file(candidate, id, chosen);
    if (fd >= 0) return fd;
  }
  return -1;
}

char* g_debug_path = nullptr;
const Dwfl_Callbacks kCallbacks = {.find_elf = nullptr,
                                   .find_debuginfo = find_debug_file,
                                   .section_address = dwfl_offline_section_address,
                                   .debuginfo_path = &g_debug_path};

// Calls visit(header, bias) for every program header.
template <class Visit>
void for_each_segment(Dwfl_Module* module, Visit visit) {
  GElf_Addr bias = 0;
  Elf* elf = dwfl_module_getelf(module, &bias);
  std::size_t count = 0;
  if (elf == nullptr || elf_getphdrnum(elf, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr) visit(header, bias);
  }
}

std::optional<Dwarf_Addr> load_base(Dwfl_Module* module) {
  std::optional<Dwarf_Addr> lowest;
  for_each_segment(module, [&](const GElf_Phdr& header, GElf_Addr bias) {
    if (header.p_type != PT_LOAD) return;
    Dwarf_Addr page = bias + (header.p_vaddr & ~kPageMask);
    lowest = std::min(lowest.value_or(page), page);
  });
  return lowest;
}

}  // namespace

std::unique_ptr<DwarfModule> DwarfModule::open(const std::string& path) {
  Dwfl* dwfl = dwfl_begin(&kCallbacks);
  if (dwfl == nullptr) return nullptr;
  dwfl_report_begin(dwfl);
  Dwfl_Module* module = dwfl_report_offline(dwfl, path.c_str(), path.c_str(), -1);
  dwfl_report_end(dwfl, nullptr, nullptr);
  std::optional<Dwarf_Addr> base;
  if (module != nullptr) base = load_base(module);
  if (!base) {
    dwfl_end(dwfl);
    return nullptr;
  }
  return std::unique_ptr<DwarfModule>(new DwarfModule(dwfl, module, *base));
}

bool DwarfModule::is_writable(Dwarf_Addr begin, Dwarf_Addr end) const {
  bool inside = false;
  bool sealed = false;
  for_each_segment(module_, [&](const GElf_Phdr& header, GElf_Addr bias) {
    Dwarf_Addr first = header.p_vaddr + bias;
    Dwarf_Addr last = first + header.p_memsz;
    if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0)
      inside |= first <= begin && end <= last;
    if (header.p_type == PT_GNU_RELRO) sealed |= begin < last && first < end;
  });
  return inside && !sealed;
}

std::map<std::string, DwarfModule::Data> DwarfModule::exported_data() const {
  std::map<std::string, Data> result;
  GElf_Addr bias = 0;
  Elf* elf = dwfl_module_getelf(module_, &bias);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) continue;
    for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
      if (symbol.st_shndx == SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT) continue;
      if (const char* name = elf_strptr(elf, header.sh_link, symbol.st_name))
        result[name] = {symbol.st_value + bias - base_, symbol.st_size};
    }
  }
  return result;
}

const std::vector<DwarfModule::Unit>& DwarfModule::units() {
  if (!units_loaded_) load_units();
  return units_;
}

void DwarfModule::load_units() {
  units_loaded_ = true;
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* die = dwfl_module_nextcu(module_, nullptr, &bias); die != nullptr;
       die = dwfl_module_nextcu(module_, die, &bias)) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0;)
      if (begin < end) ranges_.push_back({begin + bias, end + bias, units_.size()});
    units_.push_back({*die, bias});
  }
  std::sort(ranges_.begin(), ranges_.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

const DwarfModule::Unit* DwarfModule::unit_of(Dwarf_Addr address) {
  units();
  auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                [](Dwarf_Addr a, const Range& range) { return a < range.begin; });
  // Ranges may nest where the linker folded functions: look a few back.
  constexpr int kTries = 8;
  for (int tries = 0; tries < kTries && after != ranges_.begin(); ++tries)
    if (address < (--after)->end) return &units_[after->unit];
  return nullptr;
}

std::string die_string(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr) return "";
  const char* text = dwarf_formstring(&found);
  return text == nullptr ? "" : text;
}

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return "";
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : "";
  std::free(text);
  return result;
}

}  // namespace raddle::report
