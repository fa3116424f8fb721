// SPDX-License-Identifier: Apache-2.0
//
// The loaded objects of a program as the engine keeps them: a copy of the target's table that
// outlives it, is stored with findings, and translates between sites and (module, offset). Engine
// side. A site of module m is m.site_base + (pc - m.base); site 0 is "unknown" and in no module.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "facts/schedule.h"
#include "wire/shared_block.h"

namespace raddle::facts {

struct Module {
  std::string path;
  std::uint64_t base = 0;  // the lowest mapped address of its segments
  std::uint32_t site_base = 0;
  std::uint32_t size = 0;
  friend bool operator==(const Module&, const Module&) = default;
};

// The last component of a path.
std::string base_name(const std::string& path);

class ModuleTable {
 public:
  ModuleTable() = default;
  explicit ModuleTable(std::vector<Module> modules);
  static ModuleTable from_wire(std::span<const wire::Module> modules);

  const std::vector<Module>& modules() const { return modules_; }

  // The module that owns the site, or null.
  const Module* find(SiteId site) const;
  std::optional<SitePlace> place(SiteId site) const;
  std::optional<SiteId> site(const SitePlace& place) const;

 private:
  std::vector<Module> modules_;  // in the target's order: Location::id() is an index
};

}  // namespace raddle::facts
