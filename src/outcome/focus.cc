// SPDX-License-Identifier: Apache-2.0
//
// See focus.h. Engine side.
#include "outcome/focus.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/rng.h"
#include "report/frames.h"
#include "report/name_match.h"

namespace raddle::outcome {
namespace {

using report::RecordMember;
using wire::Location;
using wire::Region;

// "struct account.balance" is written in C what "account::balance" is in C++.
std::string without_keyword(const std::string& name) {
  for (std::string_view word : {"struct ", "class ", "union "})
    if (name.starts_with(word)) return name.substr(word.size());
  return name;
}

Location location_of(std::uint64_t place) {
  return {static_cast<std::uint32_t>(place >> 32), static_cast<std::uint32_t>(place)};
}

bool is_memory(Region region) {
  return region == Region::heap || region == Region::stack || region == Region::other;
}

}  // namespace

std::size_t ProgramFocus::PlaceHash::operator()(const PlaceKey& key) const {
  return mix64(key.place + mix64(std::uint64_t{key.site} << 16 | key.size));
}

ProgramFocus::ProgramFocus(search::FocusNames names, Modules modules, const std::string& directory)
    : names_(std::move(names)), source_(std::move(modules)), lines_(directory) {
  for (const std::string& name : names_.methods) functions_.push_back({name});
  for (const std::string& name : names_.variables) {
    Variable variable;
    variable.name = without_keyword(name);
    std::size_t last = variable.name.find_last_of(":.");
    variable.member = last == std::string::npos ? variable.name : variable.name.substr(last + 1);
    if (last != std::string::npos) {
      bool scope = last > 0 && variable.name[last] == ':';
      variable.record = variable.name.substr(0, scope ? last - 1 : last);
    }
    variables_.push_back(std::move(variable));
  }
}

void ProgramFocus::look_at_modules() {
  std::span<const wire::Module> now = source_();
  std::size_t known = modules_.modules().size();
  if (now.size() == known) return;
  modules_ = facts::ModuleTable::from_wire(now);
  for (std::size_t i = known; i < modules_.modules().size(); ++i)
    for (Variable& variable : variables_) add_records(variable, modules_.modules()[i].path);
  // What was unknown may be known now.
  sites_.clear();
  code_.clear();
  operations_.clear();
}

void ProgramFocus::add_records(Variable& variable, const std::string& path) {
  for (RecordMember& member : symbolizer_.records_with_member(path, variable.member)) {
    bool meant = variable.record.empty() || report::names_scope(variable.record, member.record) ||
                 report::names_scope(variable.record, member.declared_by);
    if (meant) variable.records.push_back(std::move(member));
  }
}

bool ProgramFocus::in_method(SiteId site) {
  look_at_modules();
  auto [entry, fresh] = sites_.try_emplace(site, false);
  const facts::Module* module = modules_.find(site);
  if (!fresh || module == nullptr) return entry->second;
  std::uint64_t offset = site - module->site_base;
  // A site is a return address: the call in front of it is meant.
  for (const std::string& function : symbolizer_.functions(module->path, offset - (offset > 0)))
    for (Function& wanted : functions_)
      if (report::names_function(wanted.name, function)) wanted.seen = entry->second = true;
  return entry->second;
}

bool ProgramFocus::on_variable(const model::PendingOp& op) {
  look_at_modules();
  // A wait gives back a mutex.
  return on_place(op, op.address) || (op.second != 0 && on_place(op, op.second));
}

bool ProgramFocus::on_place(const model::PendingOp& op, std::uint64_t place) {
  for (Variable& variable : variables_)
    if (variable.places.contains(place)) return true;
  auto [entry, fresh] = operations_.try_emplace(PlaceKey{place, op.site, op.size}, false);
  if (!fresh) return entry->second;
  Location where = location_of(place);
  for (Variable& variable : variables_) {
    bool found = where.region() == Region::global
                     ? in_static(variable, where)
                     : is_memory(where.region()) && by_line(variable, op, code_at(op.site));
    if (!found) continue;
    variable.seen = entry->second = true;
    if (where.region() == Region::heap) variable.places.insert(place);
  }
  return entry->second;
}

bool ProgramFocus::in_static(Variable& variable, Location where) {
  if (where.id() >= modules_.modules().size()) return false;
  const std::string& path = modules_.modules()[where.id()].path;
  if (report::names_variable(variable.name, symbolizer_.variable(path, where.offset))) return true;
  std::string wanted =
      variable.record.empty() ? variable.member : variable.record + "::" + variable.member;
  std::vector<std::string> members = symbolizer_.members(path, where.offset);
  return std::ranges::any_of(
      members, [&](const std::string& member) { return report::names_scope(wanted, member); });
}

bool ProgramFocus::by_line(const Variable& variable, const model::PendingOp& op,
                           const std::vector<Code>& code) {
  auto fits = [&](const RecordMember& m) { return m.size == 0 || op.size <= m.size; };
  if (std::ranges::none_of(variable.records, fits)) return false;
  for (const Code& at : code) {
    report::Mention mention = report::member_mention(at.line, variable.member);
    if (mention == report::Mention::of_object) return true;
    // A bare name in a function of no such record is that of something else.
    if (mention == report::Mention::bare &&
        std::ranges::any_of(variable.records, [&](const RecordMember& member) {
          return report::is_scope_of(member.record, at.function);
        }))
      return true;
  }
  return false;
}

const std::vector<ProgramFocus::Code>& ProgramFocus::code_at(SiteId site) {
  auto [entry, fresh] = code_.try_emplace(site);
  const facts::Module* module = modules_.find(site);
  if (!fresh || module == nullptr) return entry->second;
  std::uint64_t offset = site - module->site_base;
  // Beyond the innermost place of the user's, lines speak of what is done around it.
  for (const facts::Frame& frame : symbolizer_.frames(module->path, offset - (offset > 0))) {
    entry->second.push_back({frame.function, lines_.line(frame.file, frame.line)});
    if (report::is_user_code(frame)) break;
  }
  return entry->second;
}

std::vector<std::string> ProgramFocus::unseen() {
  std::vector<std::string> sentences;
  auto in_any = [&](auto test) { return std::ranges::any_of(modules_.modules(), test); };
  for (const Function& function : functions_) {
    if (function.seen) continue;
    bool exists = in_any(
        [&](const facts::Module& m) { return symbolizer_.has_function(m.path, function.name); });
    sentences.push_back(
        fmt::format("{} {}: {}", names_.methods_by, function.name,
                    exists ? "no step that the search could order was in that function"
                           : "no function of that name was seen, and debug information has none"));
  }
  for (const Variable& variable : variables_) {
    if (variable.seen) continue;
    bool exists = !variable.records.empty() || in_any([&](const facts::Module& m) {
      return symbolizer_.has_variable(m.path, variable.name);
    });
    sentences.push_back(fmt::format(
        "{} {}: {}", names_.variables_by, variable.name,
        exists ? "no step that the search could order was recognised as one on it"
               : "no variable or member of that name was seen, and debug information has none"));
  }
  return sentences;
}

}  // namespace raddle::outcome
