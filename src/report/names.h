// SPDX-License-Identifier: Apache-2.0
//
// Names: what sites and locations of one program are called. Engine side. An interface, so that
// reports can be tested on programs that do not exist.
#pragma once

#include <string>
#include <vector>

#include "facts/event_stacks.h"
#include "facts/finding.h"
#include "facts/module_table.h"
#include "report/symbolizer.h"
#include "wire/op.h"

namespace raddle::report {

class Names {
 public:
  virtual ~Names() = default;

  // The frames of a site, innermost first. Sites are return addresses: the call in front of it is
  // meant. Empty if the site is unknown.
  virtual std::vector<facts::Frame> frames(SiteId site) = 0;

  // The functions of the site, innermost first, with parameters where these are known.
  virtual std::vector<std::string> functions(SiteId) { return {}; }

  // "g_lock", "accounts[1].balance", "heap block #12 + 8".
  virtual std::string location(wire::Location where) = 0;
};

// The names of a real program, from its object files.
class ProgramNames final : public Names {
 public:
  // `stacks` tells of local variables; may be null. It and the symbolizer must outlive the names.
  ProgramNames(facts::ModuleTable modules, Symbolizer& symbolizer,
               const facts::EventStacks* stacks = nullptr)
      : modules_(std::move(modules)), symbolizer_(symbolizer), stacks_(stacks) {}

  std::vector<facts::Frame> frames(SiteId site) override;
  std::vector<std::string> functions(SiteId site) override;
  std::string location(wire::Location where) override;

 private:
  std::string local(wire::Location where);

  facts::ModuleTable modules_;
  Symbolizer& symbolizer_;
  const facts::EventStacks* stacks_;
};

// `g_lock`, but heap block #12 + 8: only what a programmer wrote is quoted.
std::string quoted(const std::string& location);

}  // namespace raddle::report
