// SPDX-License-Identifier: Apache-2.0
//
// The program's part of `raddle doctor`. Engine side.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/doctor.h"
#include "launch/elf_survey.h"
#include "launch/library_closure.h"
#include "report/debug_survey.h"
#include "report/locked_code.h"

namespace raddle::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRuntime = "libraddle_rt.so";

std::string join(const auto& words, std::size_t shown = 6) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& word : words) {
    if (count++ >= shown) continue;
    text += (text.empty() ? "" : ", ") + word;
  }
  if (count > shown) text += fmt::format(" and {} more", count - shown);
  return text;
}

void check_linkage(Checks& checks, const launch::ElfSurvey& survey) {
  checks.push_back(
      {Level::ok, "linkage",
       fmt::format("64-bit x86, dynamically linked{}", survey.pie ? ", position-independent" : ""),
       ""});
}

void check_instrumentation(Checks& checks, const launch::Program& program,
                           const launch::ElfSurvey& survey) {
  const char* kRebuild = "compile and link it with `raddle cc` or `raddle c++`";
  if (survey.linked_to_runtime && survey.reports_accesses)
    checks.push_back({Level::ok, "instrumented", "built with `raddle cc` or `raddle c++`", ""});
  else if (survey.linked_to_runtime)
    checks.push_back({Level::warning, "instrumented",
                      "linked with `raddle c++`, but no code of it was compiled so: its accesses "
                      "are invisible, threads are switched at synchronisation calls only",
                      "compile it with `raddle cc` or `raddle c++` too"});
  else if (survey.reports_accesses)
    checks.push_back({Level::warning, "instrumented",
                      "compiled for raddle or for TSan, but not linked with raddle's runtime",
                      "link it with `raddle cc` or `raddle c++` too"});
  else
    checks.push_back({Level::warning, "instrumented",
                      fmt::format("{} was not built with `raddle c++`: its accesses are invisible, "
                                  "threads are switched at synchronisation calls only",
                                  program.argv[0]),
                      kRebuild});
}

std::string debug_place(const launch::ElfSurvey& survey) {
  if (!survey.debug_info) return "in " + survey.debug_elsewhere;
  return survey.debug_compressed ? "in the program, compressed" : "in the program";
}

void check_debug_info(Checks& checks, const launch::ElfSurvey& survey,
                      const report::DebugSurvey& debug) {
  if (debug.units == 0) {
    std::string fact = "none: findings have no source lines and variables no names";
    if (!survey.debug_elsewhere.empty())
      fact = fmt::format("moved to {}, which is not there: findings have no source lines",
                         survey.debug_elsewhere);
    checks.push_back({Level::warning, "debug info", fact,
                      survey.debug_elsewhere.empty()
                          ? "compile with -g, and do not strip the program"
                          : "put that file beside the program or below /usr/lib/debug"});
    return;
  }
  std::string fact = fmt::format("of {} source file{}, {}", debug.units,
                                 debug.units == 1 ? "" : "s", debug_place(survey));
  if (!debug.compilers.empty()) fact += "; by " + join(debug.compilers, 3);
  if (debug.missing == 0) {
    checks.push_back({Level::ok, "debug info", fact, ""});
    return;
  }
  checks.push_back(
      {Level::warning, "debug info",
       fmt::format("{}; that of {} lies in .dwo files which are not there", fact, debug.missing),
       "keep the .dwo files of -gsplit-dwarf where the compiler put them, or compile "
       "without it"});
}

void check_units(Checks& checks, const launch::ElfSurvey& survey,
                 const report::DebugSurvey& debug) {
  if (!debug.optimisation.empty()) {
    bool high = debug.optimisation.contains("-O2") || debug.optimisation.contains("-O3") ||
                debug.optimisation.contains("-Ofast");
    checks.push_back({high ? Level::note : Level::ok, "optimisation", join(debug.optimisation),
                      high ? "fine; -O1 gives the most readable stacks and lines" : ""});
  }
  if (survey.reports_accesses && !debug.uninstrumented.empty())
    checks.push_back(
        {Level::warning, "source files",
         fmt::format("{} of {} were compiled without instrumentation, so that their accesses are "
                     "invisible: {}",
                     debug.uninstrumented.size(), debug.units, join(debug.uninstrumented)),
         "compile them with `raddle cc` or `raddle c++`, and without -fno-sanitize=thread"});
}

void check_frames(Checks& checks, const launch::ElfSurvey& survey) {
  checks.push_back(
      {survey.unwind_tables ? Level::ok : Level::warning, "unwind tables",
       survey.unwind_tables ? "present" : "none: stacks end early, and exceptions do not work",
       survey.unwind_tables ? "" : "compile without -fno-asynchronous-unwind-tables"});
}

// Of the C++ library, where that is a part of the program.
bool is_of_library(const std::string& function) {
  constexpr const char* kBeginnings[] = {"std::", "__gnu_cxx::", "__cxxabiv1::", "__cxa_",
                                         "_Unwind_"};
  return std::ranges::any_of(kBeginnings, [&](const char* it) { return function.starts_with(it); });
}

void check_atomic_code(Checks& checks, const std::string& topic, const std::string& path,
                       bool has_library) {
  std::vector<std::string> functions = report::locked_functions(path);
  if (has_library) std::erase_if(functions, is_of_library);
  if (functions.empty()) return;
  bool one = functions.size() == 1;
  checks.push_back(
      {Level::warning, topic,
       fmt::format("{} function{} with atomic instructions that raddle does not see: {}",
                   functions.size(), one ? "" : "s", join(functions)),
       fmt::format("use std::atomic or <stdatomic.h> in {}, compiled with `raddle cc` or `raddle "
                   "c++`: nothing is known of what {} and a loop that waits in {} never ends",
                   one ? "it" : "them", one ? "it orders," : "they order,", one ? "it" : "them")});
}

void check_own_library(Checks& checks, const launch::Library& library) {
  auto survey = launch::survey_object(library.path);
  if (!survey) {
    checks.push_back({Level::warning, library.name, survey.error().message, ""});
  } else if (!survey->sanitizer.empty()) {
    checks.push_back(
        {Level::blocker, library.name,
         fmt::format("{} was built with -fsanitize={}, which cannot share a process "
                     "with raddle",
                     library.path, survey->sanitizer),
         fmt::format("build it with `raddle c++` without -fsanitize={}", survey->sanitizer)});
  } else if (!survey->reports_accesses) {
    checks.push_back(
        {Level::warning, library.name,
         fmt::format("{} is not instrumented: its accesses are invisible", library.path),
         "build it with `raddle cc` or `raddle c++`"});
  } else {
    checks.push_back({survey->debug_info ? Level::ok : Level::note, library.name,
                      fmt::format("{} is instrumented{}", library.path,
                                  survey->debug_info ? "" : ", without debug information"),
                      ""});
  }
  if (survey) check_atomic_code(checks, library.name, library.path, false);
}

void check_runtime_of(Checks& checks, const launch::Library& library) {
  auto own = launch::runtime_library();
  std::error_code ignored;
  if (own && fs::equivalent(library.path, *own, ignored)) return;
  checks.push_back(
      {Level::warning, "runtime",
       fmt::format("the program is linked to {}, not to this raddle's runtime", library.path),
       "link it again with this raddle"});
}

void check_libraries(Checks& checks, const launch::Program& program) {
  auto libraries = launch::library_closure(program);
  if (!libraries) {
    checks.push_back({Level::blocker, "libraries", libraries.error().message, ""});
    return;
  }
  bool shares_library = std::ranges::any_of(*libraries, [](const launch::Library& library) {
    return library.name.starts_with("libstdc++.so") || library.name.starts_with("libc++.so");
  });
  check_atomic_code(checks, "atomic code", program.path, !shares_library);
  std::vector<std::string> system;
  for (const launch::Library& library : *libraries) {
    if (library.path.empty())
      checks.push_back({Level::blocker, library.name, "not found by the dynamic linker",
                        "set LD_LIBRARY_PATH to its directory, or link with -Wl,-rpath"});
    else if (library.name.starts_with(kRuntime))
      check_runtime_of(checks, library);
    else if (library.name.starts_with("libraddle_"))
      continue;  // raddle's own, of no interest to the runs
    else if (library.name.starts_with("libomp.so"))
      checks.push_back({Level::warning, library.name,
                        "LLVM's OpenMP: the program cannot be run under control beyond its first "
                        "parallel region",
                        "compile it with gcc, whose OpenMP raddle can run (docs/openmp.md)"});
    else if (launch::is_system_library(library.path))
      system.push_back(library.name);
    else
      check_own_library(checks, library);
  }
  if (!system.empty())
    checks.push_back({Level::ok, "system",
                      fmt::format("{} librar{} of the system, not instrumented: {}", system.size(),
                                  system.size() == 1 ? "y" : "ies", join(system)),
                      ""});
}

}  // namespace

Checks check_program(const launch::Program& program) {
  Checks checks;
  auto survey = launch::survey_object(program.path);
  if (!survey) return {refusal(survey.error())};
  report::DebugSurvey debug =
      report::survey_debug_info(program.path).value_or(report::DebugSurvey());
  check_linkage(checks, *survey);
  check_instrumentation(checks, program, *survey);
  check_debug_info(checks, *survey, debug);
  check_units(checks, *survey, debug);
  check_frames(checks, *survey);
  check_libraries(checks, program);
  return checks;
}

Check refusal(const Error& error) {
  // Messages say what is wrong, then what to do.
  std::size_t at = error.message.rfind("; ");
  if (at == std::string::npos) return {Level::blocker, "program", error.message, ""};
  return {Level::blocker, "program", error.message.substr(0, at), error.message.substr(at + 2)};
}

}  // namespace raddle::cli
