// SPDX-License-Identifier: Apache-2.0
//
// Reading ELF files with libelf. Engine side. Nothing in a file is trusted: libelf checks bounds,
// and whatever it cannot read is a damaged file.
#include "launch/elf_inspect.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "launch/unique_fd.h"

namespace raddle::launch {
namespace {

Error usage(std::string message) { return {std::move(message), kExitUsage}; }
Error cannot_run(std::string message) { return {std::move(message), kExitCannotRun}; }

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
constexpr std::string_view kRuntimeLibrary = "libraddle_rt.so";

class ElfHandle {
 public:
  explicit ElfHandle(int fd) {
    elf_version(EV_CURRENT);
    elf_ = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  }
  ~ElfHandle() {
    if (elf_ != nullptr) elf_end(elf_);
  }
  ElfHandle(const ElfHandle&) = delete;
  ElfHandle& operator=(const ElfHandle&) = delete;
  Elf* get() const { return elf_; }

 private:
  Elf* elf_ = nullptr;
};

struct Dynamic {
  std::vector<std::string> needed;
  bool pie = false;
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

// The interpreter's path, or empty: then the program is static, or no program at all.
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

Status check_file(const UniqueFd& fd, const std::string& path, const std::string& name) {
  struct stat info;
  if (fstat(fd.get(), &info) != 0)
    return usage(fmt::format("cannot read {}: {}", name, strerror(errno)));
  if (S_ISDIR(info.st_mode)) return usage(fmt::format("{} is a directory, not a program", name));
  if (!S_ISREG(info.st_mode))
    return usage(fmt::format("{} is not a regular file, so not a program", name));
  if (access(path.c_str(), X_OK) != 0)
    return usage(
        fmt::format("{} is not executable; if it is a program, run: chmod +x {}", name, name));
  bool privileged = (info.st_mode & (S_ISUID | S_ISGID)) != 0 ||
                    fgetxattr(fd.get(), "security.capability", nullptr, 0) > 0;
  if (privileged)
    return cannot_run(
        fmt::format("{} is set-uid, set-gid or has file capabilities: the system does not let "
                    "raddle into such a program; test a copy without them (cp {} copy)",
                    name, name));
  return Done{};
}

Status check_magic(const UniqueFd& fd, const std::string& name) {
  char magic[4] = {};
  ssize_t got = pread(fd.get(), magic, sizeof magic, 0);
  if (got < 0) return usage(fmt::format("cannot read {}: {}", name, strerror(errno)));
  if (got >= 2 && magic[0] == '#' && magic[1] == '!')
    return cannot_run(
        fmt::format("{} is a script (it starts with #!), not a compiled program; name the program "
                    "that the script starts",
                    name));
  if (got < 4 || memcmp(magic, ELFMAG, SELFMAG) != 0)
    return usage(fmt::format("{} is not an ELF program; compile it with `raddle c++`", name));
  return Done{};
}

Status check_type(const GElf_Ehdr& header, const std::string& name) {
  if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return cannot_run(fmt::format("{} was built for {}, but raddle runs 64-bit x86 programs only",
                                  name, machine_name(header)));
  if (header.e_type == ET_REL)
    return usage(
        fmt::format("{} is an object file; link it first: raddle c++ {} -o PROG", name, name));
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
    return usage(fmt::format("{} is an ELF file, but not a program", name));
  return Done{};
}

Status check_linkage(Elf* elf, const GElf_Ehdr& header, const Dynamic& dynamic,
                     const std::string& name) {
  std::string interpreter = read_interpreter(elf);
  if (interpreter.empty()) {
    if (header.e_type == ET_DYN && !dynamic.pie)
      return usage(fmt::format("{} is a shared library; name a program that uses it", name));
    return cannot_run(fmt::format(
        "{} is statically linked, and raddle needs the dynamic linker; link it without -static",
        name));
  }
  if (interpreter.find("ld-linux") == std::string::npos)
    return cannot_run(fmt::format(
        "{} is linked against another C library (its interpreter is {}); raddle needs glibc", name,
        interpreter));
  if (auto flag = find_sanitizer(elf, dynamic))
    return cannot_run(
        fmt::format("{} was built with -fsanitize={}, which cannot share a process "
                    "with raddle; rebuild it with `raddle c++` without "
                    "-fsanitize={}",
                    name, *flag, *flag));
  return Done{};
}

}  // namespace

Result<ElfFacts> inspect_executable(const std::string& path, const std::string& name) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return usage(fmt::format("cannot read {}: {}", name, strerror(errno)));
  if (auto status = check_file(fd, path, name); !status) return status.error();
  if (auto status = check_magic(fd, name); !status) return status.error();

  ElfHandle elf(fd.get());
  GElf_Ehdr header;
  if (elf.get() == nullptr || elf_kind(elf.get()) != ELF_K_ELF ||
      gelf_getehdr(elf.get(), &header) == nullptr)
    return usage(fmt::format("{} is a damaged ELF file: {}", name, elf_errmsg(-1)));
  if (auto status = check_type(header, name); !status) return status.error();
  Dynamic dynamic = read_dynamic(elf.get());
  if (auto status = check_linkage(elf.get(), header, dynamic, name); !status) return status.error();

  ElfFacts facts;
  facts.build_id = read_build_id(elf.get());
  for (const std::string& library : dynamic.needed)
    if (library.starts_with(kRuntimeLibrary)) facts.instrumented = true;
  return facts;
}

}  // namespace raddle::launch
