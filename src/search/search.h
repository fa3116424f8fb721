// SPDX-License-Identifier: Apache-2.0
//
// Search: between runs, which plan next. Engine side. What only some searches can do are interfaces
// of their own (search/abilities.h).
#pragma once

#include <optional>
#include <string>

#include "facts/run.h"

namespace raddle::search {

class Search {
 public:
  virtual ~Search() = default;

  // The next plan, or nothing when no further run could show anything new.
  virtual std::optional<facts::Plan> next() = 0;

  // What a plan led to: once for every plan, before next() is called again (but see Concurrent).
  virtual void observe(const facts::Run& run) = 0;

  // What the runs so far promise about bugs that they did not show, in one sentence.
  virtual std::string guarantee() const = 0;
};

}  // namespace raddle::search
