// SPDX-License-Identifier: Apache-2.0
//
// See program_facts.h. Engine side.
#include "outcome/program_facts.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "launch/elf_file.h"
#include "launch/library_closure.h"
#include "report/file_io.h"
#include "search/checked_file.h"

namespace raddle::outcome {

std::string sum_of_file(const std::string& path) {
  auto contents = report::read_file(path);
  return contents ? fmt::format("{:016x}", search::checksum(*contents)) : "unreadable";
}

namespace {

// A process may ask for those of its own libraries once a test, and they may be large.
std::string sum_of_library(const std::string& path) {
  struct Known {
    off_t size;
    timespec changed;
    std::string sum;
  };
  static std::map<std::string, Known> known;
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return sum_of_file(path);
  Known& entry = known[path];
  bool same = entry.size == info.st_size && entry.changed.tv_sec == info.st_mtim.tv_sec &&
              entry.changed.tv_nsec == info.st_mtim.tv_nsec;
  if (!same || entry.sum.empty()) entry = {info.st_size, info.st_mtim, sum_of_file(path)};
  return entry.sum;
}

}  // namespace

Facts program_facts(const launch::Program& program) {
  Facts facts;
  facts.emplace_back(kFactProgram, program.path);
  std::vector<std::string> arguments(program.argv.begin() + 1, program.argv.end());
  facts.emplace_back(kFactArguments, fmt::format("{}", fmt::join(arguments, " ")));
  facts.emplace_back(kFactDirectory, program.directory);
  const std::string& build = program.elf.build_id;
  facts.emplace_back(kFactBuild, build.empty() ? sum_of_file(program.path) : build);
  auto libraries = launch::library_closure(program);
  if (!libraries) return facts;  // the program's start will say it better
  for (const launch::Library& library : *libraries)
    if (!library.path.empty() && !launch::is_system_library(library.path))
      facts.emplace_back(kFactLibrary + library.name, sum_of_library(library.path));
  return facts;
}

const std::string* find_fact(const Facts& facts, const std::string& name) {
  auto found = std::ranges::find_if(facts, [&](const auto& fact) { return fact.first == name; });
  return found == facts.end() ? nullptr : &found->second;
}

std::string print_facts(const Facts& facts) {
  std::string text;
  for (const auto& [name, value] : facts) {
    std::string line = value;
    for (std::size_t at = 0; (at = line.find_first_of("\\\n", at)) != std::string::npos; at += 2)
      line.replace(at, 1, line[at] == '\n' ? "\\n" : "\\\\");
    text += fmt::format("{}={}\n", name, line);
  }
  return text;
}

memo::ProgramRecord memo_program(const Facts& facts) {
  memo::ProgramRecord program;
  Facts libraries;
  for (const auto& fact : facts) {
    if (fact.first == kFactProgram) program.path = fact.second;
    if (fact.first == kFactBuild) program.build = fact.second;
    // Another raddle does not make another program.
    bool ours = fact.first.starts_with(kFactLibrary + std::string("libraddle_"));
    if (fact.first.starts_with(kFactLibrary) && !ours) libraries.push_back(fact);
  }
  if (!libraries.empty())
    program.build += fmt::format("+{:016x}", search::checksum(print_facts(libraries)));
  return program;
}

}  // namespace raddle::outcome
