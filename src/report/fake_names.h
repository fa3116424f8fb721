// SPDX-License-Identifier: Apache-2.0
//
// Names for programs that exist only in tests. Engine side; included by tests only.
#pragma once

#include <map>

#include "report/names.h"

namespace raddle::report {

class FakeNames final : public Names {
 public:
  std::vector<facts::Frame> frames(SiteId site) override { return sites_[site]; }
  std::string location(wire::Location where) override {
    auto found = locations_.find(where.key());
    return found == locations_.end() ? "object_" + std::to_string(where.offset) : found->second;
  }

  // A frame of site `site`; call again to add the frames it was inlined into.
  FakeNames& site(SiteId site, const std::string& file, int line, const std::string& function) {
    facts::Frame frame;
    frame.file = file;
    frame.line = line;
    frame.function = function;
    frame.module = "prog";
    frame.offset = site;
    sites_[site].push_back(frame);
    return *this;
  }
  FakeNames& variable(std::uint32_t offset, const std::string& name) {
    locations_[global(offset).key()] = name;
    return *this;
  }

  static wire::Location global(std::uint32_t offset) {
    return wire::make_location(wire::Region::global, 0, offset);
  }

 private:
  std::map<SiteId, std::vector<facts::Frame>> sites_;
  std::map<std::uint64_t, std::string> locations_;
};

}  // namespace raddle::report
