// SPDX-License-Identifier: Apache-2.0
//
// Surveying compilation units. Engine side.
#include "report/debug_survey.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "report/dwarf_module.h"

namespace raddle::report {
namespace {

std::string text_of(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute found;
  if (dwarf_attr(&die, attribute, &found) == nullptr) return "";
  const char* text = dwarf_formstring(&found);
  return text != nullptr ? text : "";
}

// What the linker or assembler made, not a compiler from a source file.
bool is_source(const std::string& producer) {
  return producer.starts_with("GNU C") || producer.find("clang") != std::string::npos;
}

}  // namespace

Producer parse_producer(std::string_view text) {
  Producer producer;
  std::size_t options = std::min(text.find(" -"), text.size());
  producer.compiler = text.substr(0, options);
  if (options == text.size()) return producer;
  std::string_view rest = text.substr(options);
  // gcc without an -O option does not optimise.
  bool gcc = text.starts_with("GNU ");
  if (gcc) producer.optimisation = "-O0";
  producer.instrumented = rest.find(" -fsanitize=thread") != std::string_view::npos;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the blank
    std::size_t end = std::min(rest.find(' '), rest.size());
    std::string_view word = rest.substr(0, end);
    if (word.starts_with("-O")) producer.optimisation = word == "-O" ? "-O1" : word;
    if (word == "-fno-sanitize=thread") producer.instrumented = false;
    rest.remove_prefix(end);
  }
  return producer;
}

std::optional<DebugSurvey> survey_debug_info(const std::string& path) {
  std::unique_ptr<DwarfModule> module = DwarfModule::open(path);
  if (module == nullptr) return std::nullopt;
  DebugSurvey survey;
  for (const DwarfModule::Unit& unit : module->units()) {
    Dwarf_Die die = unit.die;
    std::string text = text_of(die, DW_AT_producer);
    bool split = dwarf_hasattr(&die, DW_AT_GNU_dwo_name) || dwarf_hasattr(&die, DW_AT_dwo_name);
    Dwarf_Die whole;
    if (split &&
        dwarf_cu_info(die.cu, nullptr, nullptr, nullptr, &whole, nullptr, nullptr, nullptr) == 0 &&
        whole.cu != nullptr) {
      die = whole;
      text = text_of(die, DW_AT_producer);
    } else if (split) {
      ++survey.missing;
    }
    if (!split && !is_source(text)) continue;
    ++survey.units;
    if (text.empty()) continue;
    Producer producer = parse_producer(text);
    survey.compilers.insert(producer.compiler);
    if (!producer.optimisation.empty()) survey.optimisation.insert(producer.optimisation);
    if (producer.instrumented && !*producer.instrumented)
      survey.uninstrumented.push_back(text_of(die, DW_AT_name));
  }
  return survey;
}

}  // namespace raddle::report
