// SPDX-License-Identifier: Apache-2.0
//
// Taking and comparing snapshots of global variables. Engine side, inside the process under test:
// the variables are read where they lie.
#include "check/globals.h"

#include <errno.h>
#include <fmt/format.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "facts/module_table.h"
#include "launch/library_closure.h"
#include "report/dwarf_module.h"
#include "report/frames.h"
#include "report/static_symbols.h"
#include "report/variable_namer.h"

namespace raddle::check {
namespace {

using report::StaticVariable;

constexpr std::size_t kSegmentMax = std::size_t{256} << 20;
constexpr std::uint64_t kPageMask = 0xfff;
constexpr std::string_view kOwnLibraries = "libraddle_";
// Of the C++ library, of test frameworks (which may be linked into the test with debug information)
// and of raddle's headers: what they keep between tests is their business.
constexpr std::string_view kForeignNamespaces[] = {
    "std::", "__gnu_cxx::", "__cxxabiv1::", "testing::", "Catch::", "doctest::", "raddle::"};

struct Memory {
  std::uint64_t begin, end;
};

// The linker's table of functions that are looked up when they are first called.
Memory call_table(const dl_phdr_info& info) {
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry =
        reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    std::uint64_t begin = 0, functions = 0;
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_PLTGOT) begin = entry->d_un.d_ptr;
      if (entry->d_tag == DT_PLTRELSZ) functions = entry->d_un.d_val / sizeof(ElfW(Rela));
    }
    constexpr std::uint64_t kReserved = 3;
    return {begin, begin + (kReserved + functions) * sizeof(void*)};
  }
  return {0, 0};
}

// The writable memory of the object that is loaded at `base`, in pieces.
std::vector<Memory> writable_memory(std::uint64_t base) {
  struct Search {
    std::uint64_t base;
    std::vector<Memory> found;
  } search{base, {}};
  auto look = [](dl_phdr_info* info, std::size_t, void* data) {
    auto& wanted = *static_cast<Search*>(data);
    std::uint64_t lowest = UINT64_MAX;
    Memory sealed{0, 0};
    std::vector<Memory> pieces;
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = info->dlpi_phdr[i];
      Memory memory{info->dlpi_addr + header.p_vaddr,
                    info->dlpi_addr + header.p_vaddr + header.p_memsz};
      if (header.p_type == PT_GNU_RELRO) sealed = memory;
      if (header.p_type != PT_LOAD) continue;
      lowest = std::min(lowest, memory.begin & ~kPageMask);
      if ((header.p_flags & PF_W) != 0) pieces.push_back(memory);
    }
    if (lowest != wanted.base) return 0;
    Memory table = call_table(*info);
    for (Memory& piece : pieces) {
      // What is sealed comes first in its segment, and then the table, unless it is sealed, too.
      if (sealed.begin <= piece.begin && piece.begin < sealed.end)
        piece.begin = std::min(sealed.end, piece.end);
      if (table.begin <= piece.begin && piece.begin < table.end)
        piece.begin = std::min(table.end, piece.end);
      if (piece.begin < piece.end) wanted.found.push_back(piece);
    }
    return 1;
  };
  dl_iterate_phdr(look, &search);
  return search.found;
}

bool is_programs_own(const wire::Module& module, bool executable) {
  if (executable) return true;
  std::string path = module.path;
  // The kernel's object has no file.
  return path.starts_with('/') && !launch::is_system_library(path) &&
         !facts::base_name(path).starts_with(kOwnLibraries);
}

bool is_named(const StaticVariable& variable, std::string_view name) {
  std::string_view whole = variable.name;
  if (!whole.ends_with(name)) return false;
  whole.remove_suffix(name.size());
  return whole.empty() || whole.ends_with("::");
}

bool is_wanted(const StaticVariable& variable, const std::vector<std::string>& ignored) {
  auto foreign = [&](std::string_view name) { return variable.name.starts_with(name); };
  if (std::ranges::any_of(kForeignNamespaces, foreign)) return false;
  facts::Frame place;
  place.file = variable.file;
  if (!variable.file.empty() && !report::is_user_code(place)) return false;
  return std::ranges::none_of(ignored,
                              [&](const std::string& name) { return is_named(variable, name); });
}

// What debug information says of one object.
struct DebugInfo {
  std::unique_ptr<report::DwarfModule> object;  // null: it cannot be read
  std::unique_ptr<report::VariableNamer> namer;
  std::vector<StaticVariable> variables;
  std::optional<report::StaticSymbols> symbols;
};

DebugInfo read_debug_info(const std::string& path) {
  DebugInfo info;
  info.object = report::DwarfModule::open(path);
  if (info.object == nullptr || info.object->units().empty()) return info;
  info.namer = std::make_unique<report::VariableNamer>(*info.object);
  info.variables = info.namer->writable_variables();
  info.symbols = report::static_symbols(*info.object);
  return info;
}

// Read once in the life of the process: every test of a program asks for the same. A library that
// was built anew in between is another one.
const DebugInfo& debug_info(const std::string& path) {
  using Identity = std::tuple<std::string, dev_t, ino_t, std::int64_t, std::int64_t>;
  static auto& known = *new std::map<Identity, DebugInfo>;  // until the very end
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) file = {};
  Identity identity{path, file.st_dev, file.st_ino, file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
  auto found = known.find(identity);
  if (found == known.end()) found = known.emplace(identity, read_debug_info(path)).first;
  return found->second;
}

// An executable that uses a variable of a library has a copy of it, and everybody uses the copy.
class Copies {
 public:
  Copies(const report::DwarfModule* executable, std::uint64_t base)
      : data_(executable == nullptr ? Exports() : executable->exported_data()), base_(base) {}

  // Where a variable of the library at `base` is.
  std::uint64_t address(const StaticVariable& variable, std::uint64_t base) const {
    auto copy = variable.symbol.empty() ? data_.end() : data_.find(variable.symbol);
    bool copied = copy != data_.end() && copy->second.size == variable.size;
    return copied ? base_ + copy->second.offset : base + variable.offset;
  }

 private:
  using Exports = std::map<std::string, report::DwarfModule::Data>;
  Exports data_;
  std::uint64_t base_;
};

struct Watched {
  const unsigned char* address;
  const StaticVariable* variable;
  report::VariableNamer* namer;
  const std::optional<report::StaticSymbols>* symbols;
  std::uint64_t base;  // of the object that describes it
};

std::string place_of(const std::string& file, int line) {
  if (file.empty() || line <= 0) return "";
  return fmt::format(" ({}:{})", facts::base_name(file), line);
}

}  // namespace

struct GlobalsSnapshot::Index {
  std::vector<Watched> watched;  // by address
  std::vector<std::string> unknown;
};

std::string ChangedGlobal::text() const {
  std::string place;
  if (!function.empty()) place = fmt::format(" of {}", function);
  place += place_of(file, line);
  return fmt::format("{} `{}`{} differs between runs", function.empty() ? "global" : "static", name,
                     place);
}

std::vector<std::string> ignored_globals(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    std::size_t comma = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

GlobalsSnapshot::GlobalsSnapshot() = default;
GlobalsSnapshot::GlobalsSnapshot(GlobalsSnapshot&&) noexcept = default;
GlobalsSnapshot& GlobalsSnapshot::operator=(GlobalsSnapshot&&) noexcept = default;
GlobalsSnapshot::~GlobalsSnapshot() = default;

Result<GlobalsSnapshot> GlobalsSnapshot::take(std::span<const wire::Module> modules) {
  const char* list = getenv(kIgnoreVariable);
  return take(modules, ignored_globals(list == nullptr ? "" : list));
}

Result<GlobalsSnapshot> GlobalsSnapshot::take(std::span<const wire::Module> modules,
                                              const std::vector<std::string>& ignored) {
  GlobalsSnapshot snapshot;
  snapshot.ignored_ = ignored;
  for (const wire::Module& module : modules) {
    bool executable = &module == modules.data();
    if (!is_programs_own(module, executable)) continue;
    std::vector<Memory> memory = writable_memory(module.base);
    if (memory.empty()) continue;  // not loaded any more, or it has no data
    if (access(module.path, R_OK) != 0)
      return Error{fmt::format("cannot read {} to know its global variables: {}", module.path,
                               strerror(errno)),
                   kExitUsage};
    for (const Memory& piece : memory) snapshot.add_segment(module.path, piece.begin, piece.end);
    snapshot.objects_.push_back({module.path, module.base, executable});
  }
  snapshot.refresh();
  return snapshot;
}

void GlobalsSnapshot::add_segment(const char* path, std::uint64_t begin, std::uint64_t end) {
  std::size_t size = end - begin;
  if (size > kSegmentMax) {
    too_large_.emplace_back(path);
    return;
  }
  segments_.push_back({reinterpret_cast<const unsigned char*>(begin), size, bytes_.size()});
  bytes_.resize(bytes_.size() + size);
}

void GlobalsSnapshot::refresh() {
  for (const Segment& segment : segments_)
    memcpy(bytes_.data() + segment.at, segment.address, segment.size);
}

bool GlobalsSnapshot::any_byte_differs() const {
  return std::ranges::any_of(segments_, [this](const Segment& segment) {
    return memcmp(bytes_.data() + segment.at, segment.address, segment.size) != 0;
  });
}

const unsigned char* GlobalsSnapshot::then(const unsigned char* address, std::size_t size) const {
  for (const Segment& segment : segments_)
    if (segment.address <= address && address + size <= segment.address + segment.size)
      return bytes_.data() + segment.at + (address - segment.address);
  return nullptr;
}

const GlobalsSnapshot::Index& GlobalsSnapshot::index() const {
  if (index_) return *index_;
  index_ = std::make_unique<Index>();
  index_->unknown = too_large_;
  std::optional<Copies> copies;
  for (const Object& object : objects_) {
    const DebugInfo& info = debug_info(object.path);
    if (info.namer == nullptr) index_->unknown.push_back(object.path);
    if (!copies) copies.emplace(object.executable ? info.object.get() : nullptr, object.base);
    for (const StaticVariable& variable : info.variables) {
      if (!is_wanted(variable, ignored_)) continue;
      std::uint64_t address = object.executable ? object.base + variable.offset
                                                : copies->address(variable, object.base);
      index_->watched.push_back({reinterpret_cast<const unsigned char*>(address), &variable,
                                 info.namer.get(), &info.symbols, object.base});
    }
  }
  // A variable that is copied may be known by two objects.
  std::vector<Watched>& watched = index_->watched;
  auto before = [](const Watched& a, const Watched& b) { return a.address < b.address; };
  auto same = [](const Watched& a, const Watched& b) { return a.address == b.address; };
  std::stable_sort(watched.begin(), watched.end(), before);
  watched.erase(std::unique(watched.begin(), watched.end(), same), watched.end());
  return *index_;
}

std::vector<std::string> GlobalsSnapshot::unknown_modules() const { return index().unknown; }

std::vector<ChangedGlobal> GlobalsSnapshot::differences() const {
  std::vector<ChangedGlobal> changed;
  if (!any_byte_differs()) return changed;
  for (const Watched& watched : index().watched) {
    const StaticVariable& variable = *watched.variable;
    const unsigned char* before = then(watched.address, variable.size);
    if (before == nullptr || memcmp(before, watched.address, variable.size) == 0) continue;
    std::uint64_t byte = 0;
    while (byte < variable.size && (before[byte] == watched.address[byte] ||
                                    watched.namer->is_padding(variable.offset + byte)))
      ++byte;
    if (byte == variable.size) continue;
    std::string part = watched.namer->name(variable.offset + byte);
    if (part.empty()) part = variable.name;
    changed.push_back({variable.name, variable.function, part, variable.file, variable.line});
  }
  return changed;
}

std::vector<GlobalsSnapshot::Copied> GlobalsSnapshot::memory() const {
  std::vector<Copied> result;
  for (const Segment& segment : segments_)
    result.push_back(
        {const_cast<unsigned char*>(segment.address), bytes_.data() + segment.at, segment.size});
  std::ranges::sort(result, {}, &Copied::address);
  return result;
}

std::vector<std::string> GlobalsSnapshot::libraries() const {
  std::vector<std::string> paths;
  for (const Object& object : objects_)
    if (!object.executable) paths.push_back(object.path);
  return paths;
}

GlobalsSnapshot::Variables GlobalsSnapshot::variables() const {
  Variables result;
  auto add = [&](std::vector<Copied>& list, const unsigned char* address, std::uint64_t size) {
    const unsigned char* before = then(address, size);
    if (before != nullptr) list.push_back({const_cast<unsigned char*>(address), before, size});
  };
  for (const Watched& watched : index().watched) {
    if (!*watched.symbols) continue;
    const report::StaticSymbols& symbols = **watched.symbols;
    std::uint64_t offset = watched.variable->offset;
    auto known = symbols.sizes.find(offset);
    std::uint64_t size = known == symbols.sizes.end() ? 0 : known->second;
    add(result.variables, watched.address, std::max(size, watched.variable->size));
    auto guard =
        std::ranges::lower_bound(symbols.guards, offset, {}, &report::StaticGuard::variable);
    for (; guard != symbols.guards.end() && guard->variable == offset; ++guard)
      add(result.guards, reinterpret_cast<const unsigned char*>(watched.base + guard->offset),
          guard->size);
  }
  return result;
}

std::string GlobalsSnapshot::name(const void* address) const {
  const auto* byte = static_cast<const unsigned char*>(address);
  for (const Watched& watched : index().watched) {
    const StaticVariable& variable = *watched.variable;
    if (watched.address <= byte && byte < watched.address + variable.size)
      return fmt::format("`{}`{}", variable.name, place_of(variable.file, variable.line));
  }
  return "";
}

}  // namespace raddle::check
