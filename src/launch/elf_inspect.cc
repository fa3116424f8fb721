// SPDX-License-Identifier: Apache-2.0
//
// Whether an executable can be put under control. Engine side. Whatever libelf cannot read is a
// damaged file.
#include "launch/elf_inspect.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "launch/elf_file.h"
#include "launch/unique_fd.h"

namespace raddle::launch {
namespace {

Error usage(std::string message) { return {std::move(message), kExitUsage}; }
Error cannot_run(std::string message) { return {std::move(message), kExitCannotRun}; }

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
  facts.reports_accesses = calls_instrumentation(elf.get());
  return facts;
}

}  // namespace raddle::launch
