// SPDX-License-Identifier: Apache-2.0
//
// Surveying object files. Engine side.
#include "launch/elf_survey.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>

#include "launch/elf_file.h"
#include "launch/unique_fd.h"

namespace raddle::launch {

Result<ElfSurvey> survey_object(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid())
    return Error{fmt::format("cannot read {}: {}", path, strerror(errno)), kExitUsage};
  ElfHandle handle(fd.get());
  Elf* elf = handle.get();
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr)
    return Error{fmt::format("{} is not an ELF file", path), kExitUsage};
  Dynamic dynamic = read_dynamic(elf);
  ElfSurvey survey;
  survey.needed = dynamic.needed;
  survey.pie = dynamic.pie;
  for (const std::string& library : dynamic.needed)
    if (library.starts_with(kRuntimeLibrary)) survey.linked_to_runtime = true;
  survey.reports_accesses = calls_instrumentation(elf);
  survey.interpreter = read_interpreter(elf);
  if (auto flag = find_sanitizer(elf, dynamic)) survey.sanitizer = *flag;
  survey.unwind_tables = find_section(elf, ".eh_frame").present;
  SectionFacts info = find_section(elf, ".debug_info");
  // Before section flags could say so, compression showed in the name.
  SectionFacts old_style = find_section(elf, ".zdebug_info");
  survey.debug_info = info.present || old_style.present;
  survey.debug_compressed = info.compressed || old_style.present;
  survey.debug_elsewhere = section_text(elf, ".gnu_debuglink");
  return survey;
}

}  // namespace raddle::launch
