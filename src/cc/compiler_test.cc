// SPDX-License-Identifier: Apache-2.0
//
// Telling gcc from clang, and reading the environment's choice of compiler.
#include "cc/compiler.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace raddle::cc {
namespace {

constexpr const char* kVariable = "RADDLE_TEST_COMPILER";

class FindCompiler : public ::testing::Test {
 protected:
  void TearDown() override { ::unsetenv(kVariable); }
  static Result<Compiler> find(const char* value) {
    ::setenv(kVariable, value, 1);
    return find_compiler(kVariable, "g++");
  }
};

TEST(FamilyOfCommand, KnowsGccByName) {
  EXPECT_EQ(family_of_command({"gcc"}), Family::kGcc);
  EXPECT_EQ(family_of_command({"g++-12"}), Family::kGcc);
  EXPECT_EQ(family_of_command({"/usr/bin/x86_64-linux-gnu-g++-12"}), Family::kGcc);
}

TEST(FamilyOfCommand, KnowsClangByNameAlthoughItEndsLikeGcc) {
  EXPECT_EQ(family_of_command({"clang++"}), Family::kClang);
  EXPECT_EQ(family_of_command({"/opt/gcc/bin/clang-14.0.6"}), Family::kClang);
}

TEST(FamilyOfCommand, LooksPastALauncherAndItsOptions) {
  EXPECT_EQ(family_of_command({"ccache", "clang++-14"}), Family::kClang);
  EXPECT_EQ(family_of_command({"nice", "-gcc", "clang"}), Family::kClang);
}

TEST(FamilyOfCommand, DoesNotGuess) {
  EXPECT_EQ(family_of_command({"c++"}), std::nullopt);
  EXPECT_EQ(family_of_command({"/opt/gcc/bin/cc"}), std::nullopt);
}

TEST(FamilyOfMacros, ReadsBothFamilies) {
  EXPECT_EQ(family_of_macros("#define __GNUC__ 4\n#define __clang__ 1\n"), Family::kClang);
  EXPECT_EQ(family_of_macros("#define __GNUC__ 12\n"), Family::kGcc);
  EXPECT_EQ(family_of_macros("#define __TINYC__ 927\n"), std::nullopt);
}

TEST_F(FindCompiler, FallsBackWhenTheVariableIsUnsetOrBlank) {
  ::unsetenv(kVariable);
  Result<Compiler> unset = find_compiler(kVariable, "g++");
  ASSERT_TRUE(unset);
  EXPECT_EQ(unset->command, std::vector<std::string>{"g++"});
  Result<Compiler> blank = find("  ");
  ASSERT_TRUE(blank);
  EXPECT_EQ(blank->command, std::vector<std::string>{"g++"});
}

TEST_F(FindCompiler, SplitsSeveralWords) {
  Result<Compiler> compiler = find("ccache '/my tools/clang++' -m64");
  ASSERT_TRUE(compiler);
  EXPECT_EQ(compiler->command, (std::vector<std::string>{"ccache", "/my tools/clang++", "-m64"}));
  EXPECT_EQ(compiler->family, Family::kClang);
}

TEST_F(FindCompiler, RefusesToRunItself) {
  Result<Compiler> compiler = find("ccache /usr/bin/raddle-c++");
  ASSERT_FALSE(compiler);
  EXPECT_NE(compiler.error().message.find("names raddle itself"), std::string::npos);
}

TEST_F(FindCompiler, AsksAnUnknownNameForItsMacros) {
  EXPECT_EQ(find("c++")->command, std::vector<std::string>{"c++"});  // gcc or clang, by the system
  Result<Compiler> echo = find("echo");                              // prints "--version": neither
  ASSERT_FALSE(echo);
  EXPECT_NE(echo.error().message.find("neither gcc nor clang"), std::string::npos);
  Result<Compiler> missing = find("/no/such/compiler");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("cannot run '/no/such/compiler'"), std::string::npos);
  EXPECT_EQ(missing.error().exit_code, 2);
}

}  // namespace
}  // namespace raddle::cc
