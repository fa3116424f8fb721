// SPDX-License-Identifier: Apache-2.0
//
// Names of a real program's sites and locations. Engine side.
#include "report/names.h"

#include <fmt/format.h>

namespace raddle::report {
namespace {

std::string plus(std::uint32_t offset) {
  return offset == 0 ? std::string() : fmt::format(" + {}", offset);
}

std::string descriptor(wire::Location where) {
  using wire::DescriptorKind;
  constexpr const char* kStandard[] = {"standard input", "standard output", "standard error"};
  switch (static_cast<DescriptorKind>(where.id())) {
    case DescriptorKind::pipe:
      return fmt::format("pipe #{}", where.offset);
    case DescriptorKind::pair:
      return fmt::format("socket pair #{}", where.offset);
    case DescriptorKind::event:
      return fmt::format("eventfd #{}", where.offset);
    case DescriptorKind::timer:
      return fmt::format("timerfd #{}", where.offset);
    case DescriptorKind::poller:
      return fmt::format("epoll #{}", where.offset);
    case DescriptorKind::socket:
      return fmt::format("socket #{}", where.offset);
    case DescriptorKind::team:
      return fmt::format("OpenMP team #{}", where.offset);
    case DescriptorKind::work:
      return fmt::format("OpenMP work #{}", where.offset);
    case DescriptorKind::order:
      return "the event schedule";
    case DescriptorKind::process:
      return "the process";
    case DescriptorKind::unknown:
      break;
  }
  return where.offset < 3 ? kStandard[where.offset] : "a descriptor";
}

}  // namespace

std::vector<facts::Frame> ProgramNames::frames(SiteId site) {
  const facts::Module* module = modules_.find(site);
  if (module == nullptr) return {};
  std::uint64_t offset = site - module->site_base;
  return symbolizer_.frames(module->path, offset == 0 ? 0 : offset - 1);
}

std::vector<std::string> ProgramNames::functions(SiteId site) {
  const facts::Module* module = modules_.find(site);
  if (module == nullptr) return {};
  std::uint64_t offset = site - module->site_base;
  return symbolizer_.functions(module->path, offset == 0 ? 0 : offset - 1);
}

// "" if it is not known, or if different variables have been there.
std::string ProgramNames::local(wire::Location where) {
  if (stacks_ == nullptr) return "";
  auto found = stacks_->locals().find(where.key());
  if (found == stacks_->locals().end()) return "";
  std::string name;
  for (const facts::LocalPlace& place : found->second) {
    const facts::Module* module = modules_.find(place.site);
    if (module == nullptr || place.site == module->site_base) continue;
    std::string other =
        symbolizer_.local(module->path, place.site - module->site_base - 1, place.offset);
    if (!name.empty() && !other.empty() && name != other) return "";
    if (!other.empty()) name = other;
  }
  return name;
}

std::string ProgramNames::location(wire::Location where) {
  switch (where.region()) {
    case wire::Region::global: {
      if (where.id() >= modules_.modules().size()) break;
      const std::string& path = modules_.modules()[where.id()].path;
      std::string variable = symbolizer_.variable(path, where.offset);
      return variable.empty() ? fmt::format("{}+{:#x}", facts::base_name(path), where.offset)
                              : variable;
    }
    case wire::Region::heap:
      return fmt::format("heap block #{}{}", where.id(), plus(where.offset));
    case wire::Region::stack: {
      std::string variable = local(where);
      return variable.empty() ? fmt::format("stack of T{} - {}", where.id(), where.offset)
                              : variable;
    }
    case wire::Region::other:
      return fmt::format("memory at {:#x}",
                         (std::uint64_t{where.id()} << 32) | std::uint64_t{where.offset});
    case wire::Region::outside:
      return descriptor(where);
    case wire::Region::none:
      break;
  }
  return "an unknown place";
}

std::string quoted(const std::string& location) {
  return location.find(' ') == std::string::npos ? "`" + location + "`" : location;
}

}  // namespace raddle::report
