// SPDX-License-Identifier: Apache-2.0
//
// ProgramFocus: the functions and variables that the user points a search at (--method, --var),
// recognised in the operations of its runs by debug information. Engine side.
//
// A function is recognised by the places of an operation and of the calls that led to it: its own
// code, and what was inlined into it. A variable with static storage is recognised by its place,
// and so are its members. For other memory debug information does not say what lies there; a member
// of an object on the heap or on a stack is recognised by the line of source code that touches it:
// the line names the member, the program has a record with such a member that is large enough, and
// nothing speaks for another record's. What such a line has touched on the heap is known from then
// on, whoever touches it (the end of a lock guard's scope names nothing). That is not exact, and
// need not be: it decides what a search looks at first, never what it leaves out.
//
// A search asks about the same places again and again: every answer is kept.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "facts/module_table.h"
#include "report/source_lines.h"
#include "report/symbolizer.h"
#include "search/priority.h"
#include "search/search_options.h"

namespace raddle::outcome {

class ProgramFocus final : public search::Focus {
 public:
  // `modules` are those of the program: known when a run has been made, more when it loads them.
  // Relative names of source files are looked up below `directory`.
  using Modules = std::function<std::span<const wire::Module>()>;
  ProgramFocus(search::FocusNames names, Modules modules, const std::string& directory);

  bool has_methods() const override { return !functions_.empty(); }
  bool in_method(SiteId site) override;
  bool on_variable(const model::PendingOp& op) override;

  // Of names that no operation so far had to do with: a sentence each.
  std::vector<std::string> unseen();

 private:
  struct Function {
    std::string name;
    bool seen = false;
  };
  struct Variable {
    std::string name;            // as the user wrote it, without "struct"
    std::string record, member;  // if it is a member; the record may be unknown
    bool seen = false;
    std::vector<report::RecordMember> records;  // that may be meant
    std::unordered_set<std::uint64_t> places;   // on the heap, known by now
  };
  struct Code {
    std::string function, line;
  };

  void look_at_modules();
  void add_records(Variable& variable, const std::string& path);
  bool on_place(const model::PendingOp& op, std::uint64_t place);
  bool in_static(Variable& variable, wire::Location where);
  bool by_line(const Variable& variable, const model::PendingOp& op, const std::vector<Code>& code);
  const std::vector<Code>& code_at(SiteId site);

  search::FocusNames names_;
  Modules source_;
  report::Symbolizer symbolizer_;
  report::SourceLines lines_;
  facts::ModuleTable modules_;
  std::vector<Function> functions_;
  std::vector<Variable> variables_;

  std::unordered_map<SiteId, bool> sites_;
  std::unordered_map<SiteId, std::vector<Code>> code_;
  struct PlaceKey {
    std::uint64_t place;
    SiteId site;
    std::uint16_t size;
    friend bool operator==(const PlaceKey&, const PlaceKey&) = default;
  };
  struct PlaceHash {
    std::size_t operator()(const PlaceKey& key) const;
  };
  std::unordered_map<PlaceKey, bool, PlaceHash> operations_;
};

}  // namespace raddle::outcome
