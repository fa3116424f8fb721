// SPDX-License-Identifier: Apache-2.0
//
// Names of a real program: a shared library and an executable compiled on the spot.
#include "report/names.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace raddle::report {
namespace {

namespace fs = std::filesystem;

TEST(Names, SitesAreReturnAddressesAndLocationsAreModuleOffsets) {
  std::string pattern = fs::temp_directory_path() / "raddle-names-XXXXXX";
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  fs::path folder = pattern;
  std::ofstream(folder / "p.cpp") << R"(#include <cstdio>
extern char __executable_start;
int counters[4];
void last() {}
__attribute__((noinline)) void callee() {
  std::printf("%lx %lx\n", (long)__builtin_return_address(0) - (long)&__executable_start,
              (long)&counters[2] - (long)&__executable_start);
}
int main() {
  callee();
  last();
}
)";
  std::string command = fmt::format("cd {} && g++ -g -O0 p.cpp -o p && ./p > out", folder.string());
  ASSERT_EQ(system(command.c_str()), 0);
  std::uint32_t site = 0, data = 0;
  std::ifstream(folder / "out") >> std::hex >> site >> data;
  constexpr std::uint32_t kBase = 0x5000;
  Symbolizer symbolizer;
  ProgramNames names(
      facts::ModuleTable({{"/no/such", 0, 0x100, 0x100}, {folder / "p", 0, kBase, 0x10000}}),
      symbolizer);
  std::vector<facts::Frame> frames = names.frames(kBase + site);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function, "main");
  EXPECT_EQ(frames[0].line, 10);  // the call, not the line after it
  EXPECT_TRUE(names.frames(0).empty());
  EXPECT_TRUE(names.frames(0x4fff).empty());
  using wire::Region;
  EXPECT_EQ(names.location(wire::make_location(Region::global, 1, data)), "counters[2]");
  EXPECT_EQ(names.location(wire::make_location(Region::global, 0, 0x20)), "such+0x20");
  EXPECT_EQ(names.location(wire::make_location(Region::global, 7, 0)), "an unknown place");
  EXPECT_EQ(names.location(wire::make_location(Region::heap, 12, 8)), "heap block #12 + 8");
  EXPECT_EQ(names.location(wire::make_location(Region::heap, 12, 0)), "heap block #12");
  EXPECT_EQ(names.location(wire::make_location(Region::stack, 3, 64)), "stack of T3 - 64");
  EXPECT_EQ(names.location(wire::make_location(Region::other, 0x7f, 0x10)),
            "memory at 0x7f00000010");
  EXPECT_EQ(quoted("a[1].b"), "`a[1].b`");
  EXPECT_EQ(quoted("heap block #1"), "heap block #1");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace raddle::report
