// SPDX-License-Identifier: Apache-2.0
//
// What the dynamic linker prints, taken apart, and asked about a real program.
#include "launch/library_closure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace raddle::launch {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> shown(const std::vector<Library>& libraries) {
  std::vector<std::string> texts;
  for (const Library& library : libraries) texts.push_back(library.name + "=" + library.path);
  return texts;
}

TEST(LibraryClosure, ReadsWhatTheLinkerPrints) {
  EXPECT_THAT(
      shown(
          parse_library_list("\tlinux-vdso.so.1 (0x00007ffc27bfe000)\n"
                             "\tlibfoo.so => /opt/my libs/libfoo.so (0x00007f4f0c200000)\n"
                             "\tlibgone.so.2 => not found\n"
                             "\t./libhere.so => ./libhere.so (0x00007f4f0c1f0000)\n"
                             "\t/opt/libpath.so (0x00007f4f0c1e0000)\n"
                             "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f4f0c000000)\n"
                             "\t/lib64/ld-linux-x86-64.so.2 (0x00007f4f0c3d5000)\n")),
      ElementsAre("libfoo.so=/opt/my libs/libfoo.so", "libgone.so.2=", "libhere.so=./libhere.so",
                  "libpath.so=/opt/libpath.so", "libc.so.6=/lib/x86_64-linux-gnu/libc.so.6"));
  EXPECT_TRUE(parse_library_list("").empty());
  EXPECT_TRUE(parse_library_list("\tstatically linked\n").empty());
}

TEST(LibraryClosure, TheLinkerFindsTheLibrariesOfThisProgram) {
  auto program = load_program({std::filesystem::read_symlink("/proc/self/exe")}, "/", "");
  ASSERT_TRUE(program) << program.error().message;
  auto libraries = library_closure(*program);
  ASSERT_TRUE(libraries) << libraries.error().message;
  bool libc = false;
  for (const Library& library : *libraries) {
    EXPECT_FALSE(library.path.empty()) << library.name;
    if (library.name == "libc.so.6") libc = is_system_library(library.path);
  }
  EXPECT_TRUE(libc);
}

TEST(LibraryClosure, SystemLibrariesAreThoseOfTheSystem) {
  EXPECT_TRUE(is_system_library("/usr/lib/x86_64-linux-gnu/libnothing.so"));
  EXPECT_TRUE(is_system_library("/lib64/libnothing.so"));
  EXPECT_FALSE(is_system_library("/usr/local/lib/libnothing.so"));
  EXPECT_FALSE(is_system_library("/opt/lib/libnothing.so"));
  EXPECT_FALSE(is_system_library("lib/libnothing.so"));
}

}  // namespace
}  // namespace raddle::launch
