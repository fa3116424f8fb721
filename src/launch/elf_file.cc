// SPDX-License-Identifier: Apache-2.0
//
// Reading ELF files with libelf. Engine side.
#include "launch/elf_file.h"

#include <fmt/core.h>
#include <string.h>

#include <array>

namespace raddle::launch {
namespace {

// A sanitizer whose runtime cannot live beside ours, and how its presence shows. UBSan is absent on
// purpose: its runtime neither replaces malloc nor watches threads.
struct Sanitizer {
  std::string_view flag;     // as in -fsanitize=
  std::string_view library;  // prefix of its shared runtime
  std::string_view symbol;   // defined in the program when the runtime is linked statically
};
constexpr std::array kSanitizers = {
    Sanitizer{"address", "libasan.so", "__asan_init"},
    Sanitizer{"address", "libclang_rt.asan", "__asan_init"},
    Sanitizer{"thread", "libtsan.so", "__tsan_init"},
    Sanitizer{"thread", "libclang_rt.tsan", "__tsan_init"},
    Sanitizer{"hwaddress", "libhwasan.so", "__hwasan_init"},
    Sanitizer{"hwaddress", "libclang_rt.hwasan", "__hwasan_init"},
    Sanitizer{"leak", "liblsan.so", "__lsan_init"},
    Sanitizer{"memory", "libclang_rt.msan", "__msan_init"},
    Sanitizer{"dataflow", "libclang_rt.dfsan", "__dfsan_init"},
};
template <class Visit>
void for_each_section(Elf* elf, unsigned type, Visit visit) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != type) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data != nullptr && header.sh_entsize != 0) visit(header, data);
  }
}

bool is_defined(Elf* elf, unsigned table, std::string_view wanted) {
  bool found = false;
  for_each_section(elf, table, [&](const GElf_Shdr& header, Elf_Data* data) {
    int count = static_cast<int>(header.sh_size / header.sh_entsize);
    for (int i = 0; i < count && !found; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, i, &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF) continue;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      found = name != nullptr && wanted == name;
    }
  });
  return found;
}

// The section of that name and its header, or null.
Elf_Scn* section_named(Elf* elf, std::string_view wanted, GElf_Shdr& header) {
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return nullptr;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (name != nullptr && wanted == name) return section;
  }
  return nullptr;
}

}  // namespace

ElfHandle::ElfHandle(int fd) {
  elf_version(EV_CURRENT);
  elf_ = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
}

ElfHandle::~ElfHandle() {
  if (elf_ != nullptr) elf_end(elf_);
}

Dynamic read_dynamic(Elf* elf) {
  Dynamic result;
  for_each_section(elf, SHT_DYNAMIC, [&](const GElf_Shdr& header, Elf_Data* data) {
    int count = static_cast<int>(header.sh_size / header.sh_entsize);
    for (int i = 0; i < count; ++i) {
      GElf_Dyn entry;
      if (gelf_getdyn(data, i, &entry) == nullptr || entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0) result.pie = true;
      if (entry.d_tag != DT_NEEDED) continue;
      const char* name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
      if (name != nullptr) result.needed.emplace_back(name);
    }
  });
  return result;
}

bool calls_instrumentation(Elf* elf) {
  bool found = false;
  for_each_section(elf, SHT_DYNSYM, [&](const GElf_Shdr& header, Elf_Data* data) {
    int count = static_cast<int>(header.sh_size / header.sh_entsize);
    for (int i = 0; i < count && !found; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, i, &symbol) == nullptr || symbol.st_shndx != SHN_UNDEF) continue;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      found = name != nullptr && std::string_view(name).starts_with("__tsan_");
    }
  });
  return found;
}

std::optional<std::string_view> find_sanitizer(Elf* elf, const Dynamic& dynamic) {
  for (const Sanitizer& sanitizer : kSanitizers)
    for (const std::string& library : dynamic.needed)
      if (library.starts_with(sanitizer.library)) return sanitizer.flag;
  // clang links its runtimes statically and exports their entry points.
  for (const Sanitizer& sanitizer : kSanitizers)
    if (is_defined(elf, SHT_DYNSYM, sanitizer.symbol) ||
        is_defined(elf, SHT_SYMTAB, sanitizer.symbol))
      return sanitizer.flag;
  return std::nullopt;
}

std::string read_build_id(Elf* elf) {
  std::string result;
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return result;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_NOTE)
      continue;
    Elf_Data* data = elf_getdata_rawchunk(elf, static_cast<int64_t>(header.p_offset),
                                          header.p_filesz, ELF_T_NHDR);
    if (data == nullptr) continue;
    GElf_Nhdr note;
    size_t name_at = 0;
    size_t body_at = 0;
    for (size_t at = 0; (at = gelf_getnote(data, at, &note, &name_at, &body_at)) != 0;) {
      const char* bytes = static_cast<const char*>(data->d_buf);
      if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
          memcmp(bytes + name_at, "GNU", 4) != 0)
        continue;
      for (size_t b = 0; b < note.n_descsz; ++b)
        result += fmt::format("{:02x}", static_cast<unsigned char>(bytes[body_at + b]));
      return result;
    }
  }
  return result;
}

std::string read_interpreter(Elf* elf) {
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return {};
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_INTERP)
      continue;
    Elf_Data* data = elf_getdata_rawchunk(elf, static_cast<int64_t>(header.p_offset),
                                          header.p_filesz, ELF_T_BYTE);
    if (data == nullptr) return {};
    const char* text = static_cast<const char*>(data->d_buf);
    return std::string(text, strnlen(text, data->d_size));
  }
  return {};
}

std::string machine_name(const GElf_Ehdr& header) {
  switch (header.e_machine) {
    case EM_386:
      return "32-bit x86";
    case EM_X86_64:
      return "the 32-bit x32 ABI of x86-64";
    case EM_AARCH64:
      return "64-bit ARM";
    case EM_ARM:
      return "32-bit ARM";
    case EM_RISCV:
      return "RISC-V";
    case EM_PPC64:
      return "64-bit PowerPC";
    default:
      return fmt::format("another machine (ELF machine {})", header.e_machine);
  }
}

SectionFacts find_section(Elf* elf, std::string_view name) {
  GElf_Shdr header;
  if (section_named(elf, name, header) == nullptr) return {};
  return {true, (header.sh_flags & SHF_COMPRESSED) != 0};
}

std::string section_text(Elf* elf, std::string_view name) {
  GElf_Shdr header;
  Elf_Scn* section = section_named(elf, name, header);
  Elf_Data* data = section == nullptr ? nullptr : elf_getdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  const char* text = static_cast<const char*>(data->d_buf);
  return std::string(text, strnlen(text, data->d_size));
}

}  // namespace raddle::launch
