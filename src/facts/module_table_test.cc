// SPDX-License-Identifier: Apache-2.0
//
// Sites to modules and back.
#include "facts/module_table.h"

#include <gtest/gtest.h>

#include <cstring>

namespace raddle::facts {
namespace {

ModuleTable two_modules() {
  return ModuleTable({{"/project/bank", 0x400000, 0x1000, 0x5000},
                      {"/usr/lib/libstdc++.so.6", 0x7f0000000000, 0x6000, 0x200000}});
}

TEST(ModuleTable, TranslatesSitesBothWays) {
  ModuleTable table = two_modules();
  for (SiteId site : {0x1000u, 0x5fffu, 0x6000u, 0x6123u}) {
    auto place = table.place(site);
    ASSERT_TRUE(place.has_value());
    EXPECT_EQ(table.site(*place), site);
  }
  EXPECT_EQ(table.place(0x6123)->module, "libstdc++.so.6");
  EXPECT_EQ(table.place(0x6123)->offset, 0x123u);
}

TEST(ModuleTable, RefusesSitesAndPlacesOutsideEveryModule) {
  ModuleTable table = two_modules();
  EXPECT_FALSE(table.place(0).has_value());
  EXPECT_FALSE(table.place(0xfff).has_value());
  EXPECT_FALSE(table.place(0x206000).has_value());
  EXPECT_FALSE(table.site({"bank", 0x5000}).has_value());
  EXPECT_FALSE(table.site({"other", 1}).has_value());
}

TEST(ModuleTable, CopiesTheTargetsTableEvenWithoutTerminators) {
  wire::Module module{};
  module.base = 1;
  module.site_base = 2;
  module.size = 3;
  std::memset(module.path, 'x', sizeof module.path);
  ModuleTable table = ModuleTable::from_wire(std::span(&module, 1));
  ASSERT_EQ(table.modules().size(), 1u);
  EXPECT_EQ(table.modules()[0].path, std::string(wire::kModulePathMax, 'x'));
  EXPECT_EQ(table.modules()[0].size, 3u);
}

}  // namespace
}  // namespace raddle::facts
