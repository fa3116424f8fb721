// SPDX-License-Identifier: Apache-2.0
//
// Functions, inlined frames, lines and variables of small programs compiled on the spot, with both
// compilers, position-independent or not. The programs print the offsets to be resolved.
#include "report/symbolizer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace raddle::report {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr const char* kProgram = R"(#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <vector>
extern char __executable_start;
struct Owner { int age; char initial; };
struct Account { long id; Owner owner; int balance[3]; };
struct Savings : Account { double rate; };
Account accounts[4];
Savings savings;
int grid[2][5];
std::array<Account, 2> pair;
std::mutex g_lock;
std::atomic<int> counter;
std::vector<int> numbers;
namespace bank { namespace { long total; } }
void show(const char* what, const void* where) {
  std::printf("%s %lx\n", what, (long)((const char*)where - &__executable_start));
}
__attribute__((noinline)) void mark(const char* what) { show(what, __builtin_return_address(0)); }
inline __attribute__((always_inline)) void inner() {
  mark("inner");  // line 23
  asm volatile("");
}
inline __attribute__((always_inline)) void middle() {
  inner();  // line 27
  asm volatile("");
}
namespace bank {
struct Teller {
  __attribute__((noinline)) int serve(int n) const {
    middle();  // line 33
    return n + 1;
  }
};
}
int main() {
  static int calls;
  auto lambda = [](int n) __attribute__((noinline)) { mark("lambda"); return n; };  // 40
  calls = bank::Teller().serve(1) + lambda(2);
  bank::total = calls;
  show("accounts", accounts);
  show("balance", &accounts[2].balance[1]);
  show("initial", &accounts[3].owner.initial);
  show("rate", &savings.rate);
  show("inherited", &savings.owner.age);
  show("grid", &grid[1][3]);
  show("pair", &pair[1].id);
  show("lock", &g_lock);
  show("counter", &counter);
  show("numbers", (char*)&numbers + 8);
  show("total", &bank::total);
  show("calls", &calls);
}
)";

class SymbolizerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "raddle-symbolizer-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::ofstream(folder_ / "prog.cpp") << kProgram;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Compiles and runs the program; false if there is no such compiler.
  bool build(const std::string& compiler, const std::string& flags) {
    std::string find = fmt::format("command -v {} >/dev/null", compiler);
    if (system(find.c_str()) != 0) return false;
    program_ = folder_ / "prog";
    std::string command = fmt::format("cd {} && {} -std=c++17 {} prog.cpp -o prog && ./prog > out",
                                      folder_.string(), compiler, flags);
    EXPECT_EQ(system(command.c_str()), 0) << command;
    offsets_.clear();
    std::ifstream out(folder_ / "out");
    std::string name;
    for (std::uint64_t offset; out >> name >> std::hex >> offset;) offsets_[name] = offset;
    return true;
  }

  void expect_frame(const facts::Frame& frame, const std::string& function, int line,
                    bool inlined) {
    EXPECT_EQ(frame.function, function);
    EXPECT_EQ(frame.line, line);
    EXPECT_EQ(frame.inlined, inlined);
    EXPECT_EQ(frame.file, (folder_ / "prog.cpp").string());
    EXPECT_EQ(frame.module, "prog");
  }

  void expect_everything() {
    Symbolizer symbolizer;
    auto frames = symbolizer.frames(program_, offsets_.at("inner") - 1);
    ASSERT_EQ(frames.size(), 3u);
    expect_frame(frames[0], "inner", 23, true);
    expect_frame(frames[1], "middle", 27, true);
    expect_frame(frames[2], "bank::Teller::serve", 33, false);
    frames = symbolizer.frames(program_, offsets_.at("lambda") - 1);
    ASSERT_GE(frames.size(), 1u);
    EXPECT_EQ(frames[0].line, 40);
    EXPECT_TRUE(frames[0].function == "main::{lambda(int)#1}" ||
                frames[0].function == "main::$_0::operator()")
        << frames[0].function;
    auto variable = [&](const char* what) {
      return symbolizer.variable(program_, offsets_.at(what));
    };
    EXPECT_EQ(variable("accounts"), "accounts[0].id");
    EXPECT_EQ(variable("balance"), "accounts[2].balance[1]");
    EXPECT_EQ(variable("initial"), "accounts[3].owner.initial");
    EXPECT_EQ(variable("rate"), "savings.rate");
    EXPECT_EQ(variable("inherited"), "savings.owner.age");
    EXPECT_EQ(variable("grid"), "grid[1][3]");
    EXPECT_EQ(variable("pair"), "pair[1].id");
    EXPECT_EQ(variable("lock"), "g_lock");
    EXPECT_EQ(variable("counter"), "counter");
    EXPECT_EQ(variable("numbers"), "numbers+8");
    EXPECT_EQ(variable("total"), "bank::total");
    EXPECT_TRUE(variable("calls") == "main::calls" || variable("calls") == "calls")
        << variable("calls");
    EXPECT_EQ(symbolizer.variable(program_, 0), "");
    expect_names(symbolizer);
  }

  // What the user's own names are held against.
  void expect_names(Symbolizer& symbolizer) {
    EXPECT_THAT(symbolizer.functions(program_, offsets_.at("inner") - 1),
                ElementsAre("inner()", "middle()", "bank::Teller::serve(int) const"));
    // Inlined code lies in the function around it.
    EXPECT_THAT(symbolizer.symbol_place(program_, offsets_.at("inner") - 1),
                AllOf(StartsWith("bank::Teller::serve(int) const"), HasSubstr("+0x")));
    EXPECT_NE(symbolizer.symbol_place(program_, offsets_.at("inner") - 1),
              symbolizer.symbol_place(program_, offsets_.at("inner") - 2));
    EXPECT_EQ(symbolizer.symbol_place("/no/such/file", 5), "");
    auto members = [&](const char* what) {
      return symbolizer.members(program_, offsets_.at(what));
    };
    EXPECT_THAT(members("balance"), ElementsAre("Account::balance"));
    EXPECT_THAT(members("initial"), ElementsAre("Account::owner", "Owner::initial"));
    EXPECT_THAT(members("inherited"),
                ElementsAre("Savings::owner", "Account::owner", "Owner::age"));
    EXPECT_THAT(members("pair"), ElementsAre("Account::id"));
    EXPECT_THAT(members("total"), IsEmpty());
    EXPECT_THAT(symbolizer.records_with_member(program_, "balance"),
                UnorderedElementsAre(RecordMember{"Account", "Account", 12},
                                     RecordMember{"Savings", "Account", 12}));
    EXPECT_THAT(symbolizer.records_with_member(program_, "frobs"), IsEmpty());
    EXPECT_TRUE(symbolizer.has_function(program_, "Teller::serve"));
    EXPECT_FALSE(symbolizer.has_function(program_, "Teller::save"));
    EXPECT_TRUE(symbolizer.has_variable(program_, "total"));
    EXPECT_TRUE(symbolizer.has_variable(program_, "accounts[2].balance"));
    EXPECT_FALSE(symbolizer.has_variable(program_, "balance"));
  }

  fs::path folder_;
  std::string program_;
  std::map<std::string, std::uint64_t> offsets_;
};

TEST_F(SymbolizerTest, ResolvesPositionIndependentPrograms) {
  ASSERT_TRUE(build("g++", "-g -O2"));
  expect_everything();
}

TEST_F(SymbolizerTest, ResolvesUnoptimisedProgramsAtFixedAddresses) {
  ASSERT_TRUE(build("g++", "-g -O0 -no-pie"));
  expect_everything();
}

TEST_F(SymbolizerTest, ResolvesClangsPrograms) {
  if (!build("clang++", "-g -O1")) GTEST_SKIP() << "no clang++";
  expect_everything();
  ASSERT_TRUE(build("clang++", "-g -O0 -no-pie"));
  expect_everything();
}

TEST_F(SymbolizerTest, UsesSeparateDebugFilesOfTheSameBuildOnly) {
  ASSERT_TRUE(build("g++", "-g -O2 -Wl,--build-id"));
  std::string split = fmt::format(
      "cd {} && objcopy --only-keep-debug prog prog.debug && strip prog && "
      "objcopy --add-gnu-debuglink=prog.debug prog",
      folder_.string());
  ASSERT_EQ(system(split.c_str()), 0);
  expect_everything();
  // Another program's debug file under that name must not be believed.
  std::string other = fmt::format(
      "cd {} && g++ -g -O0 -std=c++17 -Wl,--build-id prog.cpp -o other && "
      "objcopy --only-keep-debug other prog.debug",
      folder_.string());
  ASSERT_EQ(system(other.c_str()), 0);
  EXPECT_EQ(Symbolizer().frames(program_, offsets_.at("inner") - 1)[0].line, 0);
}

TEST_F(SymbolizerTest, WithoutDebugInformationSymbolsRemain) {
  ASSERT_TRUE(build("g++", "-O2"));
  Symbolizer symbolizer;
  const auto& frames = symbolizer.frames(program_, offsets_.at("inner") - 1);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function, "bank::Teller::serve");
  EXPECT_EQ(frames[0].file, "");
  EXPECT_EQ(symbolizer.variable(program_, offsets_.at("lock")), "g_lock");
  EXPECT_EQ(symbolizer.variable(program_, offsets_.at("accounts") + 16), "accounts+16");
}

TEST_F(SymbolizerTest, StrippedAndMissingFilesGiveModuleAndOffset) {
  ASSERT_TRUE(build("g++", "-O2 -s"));
  Symbolizer symbolizer;
  std::uint64_t offset = offsets_.at("inner") - 1;
  for (const std::string& path :
       {program_, std::string("/no/such/prog"), (folder_ / "prog.cpp").string()}) {
    const auto& frames = symbolizer.frames(path, offset);
    ASSERT_EQ(frames.size(), 1u);
    EXPECT_EQ(frames[0].function, "");
    EXPECT_EQ(frames[0].file, "");
    EXPECT_EQ(frames[0].offset, offset);
    EXPECT_EQ(frames[0].module, fs::path(path).filename().string());
    EXPECT_EQ(symbolizer.variable(path, offsets_.at("lock")), "");
  }
}

TEST_F(SymbolizerTest, RemembersWhatItHasResolved) {
  ASSERT_TRUE(build("g++", "-g -O2"));
  Symbolizer symbolizer;
  const auto* first = &symbolizer.frames(program_, offsets_.at("inner") - 1);
  fs::remove(program_);
  EXPECT_EQ(&symbolizer.frames(program_, offsets_.at("inner") - 1), first);
  EXPECT_EQ(first->size(), 3u);
}

}  // namespace
}  // namespace raddle::report
