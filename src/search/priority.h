// SPDX-License-Identifier: Apache-2.0
//
// Priority functions: which of the alternatives that a search has found is to be run next. Engine
// side. After Gambit (Coons, Burckhardt, Musuvathi, PPoPP 2010), section 4: any function is
// admissible, since it changes the order of the search only.
//
// One function is one file (priority_*.cc) and one row of the list: it is given a run, a choice of
// that run and what could be picked there instead, and returns a number; lower numbers come first.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "search/execution.h"

namespace raddle::search {

// What the user points at (--method, --var). Asked between runs.
class Focus {
 public:
  virtual ~Focus() = default;
  // Whether functions are named, so that it has to be known which are on the stack.
  virtual bool has_methods() const = 0;
  // Whether the place lies in one of the functions named.
  virtual bool in_method(SiteId site) = 0;
  // Whether the operation concerns one of the variables named.
  virtual bool on_variable(const model::PendingOp& op) = 0;
};

// Another way to go at a choice of a run.
struct Alternative {
  const Execution& execution;
  std::uint32_t choice;
  std::uint16_t pick;  // the thread, or the value
  bool is_value;
  bool by_dpor;          // partial-order reduction asks for it
  bool conservative;     // it does, but only to be on the safe side
  bool asleep;           // a sleep set would leave it out
  std::uint64_t random;  // drawn for this alternative; the same in every campaign of the seed
  Focus* focus;          // null: the user points at nothing
};

struct PriorityFunction {
  std::string_view name;
  std::string_view description;  // one line
  unsigned bits;                 // the numbers are below 2^bits
  std::uint64_t (*of)(const Alternative& alternative);
};

std::span<const PriorityFunction> priority_functions();

// A list of functions: where the first says the same, the second decides, and so on.
class Priority {
 public:
  // "mdpor,pb". An unknown name, one that comes twice or an empty one is an error that names it;
  // `by` is whose word the list is.
  static Result<Priority> parse(std::string_view list, std::string_view by = "--priority");
  Priority() = default;

  std::uint64_t of(const Alternative& alternative) const;
  bool uses(std::string_view name) const;
  bool empty() const { return functions_.empty(); }

 private:
  std::vector<const PriorityFunction*> functions_;
};

}  // namespace raddle::search
