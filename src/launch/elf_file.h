// SPDX-License-Identifier: Apache-2.0
//
// One ELF file, opened for what its headers, sections and symbols say. Engine side; with
// elf_inspect.cc and elf_survey.cc the only reader of object files in launch/ (libelf). Nothing in
// a file is trusted: libelf checks bounds, and what it cannot read is taken as absent.
#pragma once

#include <gelf.h>
#include <libelf.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::launch {

inline constexpr std::string_view kRuntimeLibrary = "libraddle_rt.so";

class ElfHandle {
 public:
  explicit ElfHandle(int fd);
  ~ElfHandle();
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

Dynamic read_dynamic(Elf* elf);

// Whether the object's dynamic symbols ask for the compiler's thread instrumentation: some of its
// code was compiled by `raddle cc` or `raddle c++`.
bool calls_instrumentation(Elf* elf);

// The word after -fsanitize= of a sanitizer whose runtime cannot live beside ours.
std::optional<std::string_view> find_sanitizer(Elf* elf, const Dynamic& dynamic);

// Hexadecimal; empty if there is none.
std::string read_build_id(Elf* elf);

// The interpreter's path, or empty: then the program is static, or no program at all.
std::string read_interpreter(Elf* elf);

// For a file that is not a 64-bit x86 one: what it was built for.
std::string machine_name(const GElf_Ehdr& header);

// What a section is like, by its name.
struct SectionFacts {
  bool present = false;
  bool compressed = false;
};
SectionFacts find_section(Elf* elf, std::string_view name);

// The text at the beginning of a section; empty if there is none.
std::string section_text(Elf* elf, std::string_view name);

}  // namespace raddle::launch
