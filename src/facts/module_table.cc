// SPDX-License-Identifier: Apache-2.0
//
// Translation between sites and (module, offset). Engine side. Linear searches: programs have tens
// of modules, and callers cache what they resolve.
#include "facts/module_table.h"

#include <cstring>

namespace raddle::facts {

std::string base_name(const std::string& path) {
  std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

ModuleTable::ModuleTable(std::vector<Module> modules) : modules_(std::move(modules)) {}

ModuleTable ModuleTable::from_wire(std::span<const wire::Module> modules) {
  std::vector<Module> copies;
  copies.reserve(modules.size());
  for (const wire::Module& module : modules)
    copies.push_back({std::string(module.path, strnlen(module.path, sizeof module.path)),
                      module.base, module.site_base, module.size});
  return ModuleTable(std::move(copies));
}

const Module* ModuleTable::find(SiteId site) const {
  if (site == 0) return nullptr;
  for (const Module& module : modules_)
    if (site >= module.site_base && site - module.site_base < module.size) return &module;
  return nullptr;
}

std::optional<SitePlace> ModuleTable::place(SiteId site) const {
  const Module* module = find(site);
  if (module == nullptr) return std::nullopt;
  return SitePlace{base_name(module->path), site - module->site_base};
}

std::optional<SiteId> ModuleTable::site(const SitePlace& place) const {
  for (const Module& module : modules_)
    if (place.offset < module.size && base_name(module.path) == place.module)
      return module.site_base + static_cast<SiteId>(place.offset);
  return std::nullopt;
}

}  // namespace raddle::facts
