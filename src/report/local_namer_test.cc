// SPDX-License-Identifier: Apache-2.0
//
// Local variables of a function that is compiled on the spot, with both compilers and at every
// level. The program prints where its variables lie.
#include "report/local_namer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "report/symbolizer.h"

namespace raddle::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = R"(#include <cstdio>
extern char __executable_start;
struct Account { long id; int balance[3]; };
static const char* end_of_frame;
__attribute__((noinline)) void show(const char* what, const volatile void* where) {
  auto* code = static_cast<const char*>(__builtin_return_address(0));
  std::printf("%s %ld %ld\n", what, (long)(code - &__executable_start),
              (long)((const volatile char*)where - end_of_frame));
}
inline __attribute__((always_inline)) void inlined(long start) {
  volatile long inner = start;
  show("inner", &inner);
}
__attribute__((noinline)) int locals(int count) {
  end_of_frame = static_cast<const char*>(__builtin_dwarf_cfa());
  volatile Account accounts[2] = {};
  volatile int total = count;
  show("accounts[1].balance[2]", &accounts[1].balance[2]);
  show("accounts[0].id", &accounts[0]);
  show("total", &total);
  { volatile int first = 1; show("first", &first); total += first; }
  { volatile int second = 2; show("second", &second); total += second; }
  inlined(3);
  show("none", end_of_frame + 4096);
  return total;
}
int main() { return locals(1) == 4 ? 0 : 1; }
)";

class LocalNamer : public testing::TestWithParam<const char*> {};

TEST_P(LocalNamer, NamesWhatIsInScope) {
  std::string compiler = GetParam();
  compiler = compiler.substr(0, compiler.find(' '));
  if (system(fmt::format("command -v {} > /dev/null", compiler).c_str()) != 0)
    GTEST_SKIP() << "no " << compiler;
  std::string pattern = fs::temp_directory_path() / "raddle-locals-XXXXXX";
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  fs::path folder = pattern;
  std::ofstream(folder / "prog.cpp") << kProgram;
  std::string command = fmt::format("cd {} && {} -g -std=c++17 prog.cpp -o prog && ./prog > out",
                                    folder.string(), GetParam());
  ASSERT_EQ(system(command.c_str()), 0) << command;
  std::ifstream out(folder / "out");
  Symbolizer symbolizer;
  std::string name;
  int names = 0;
  for (std::int64_t code, offset; out >> name >> code >> offset; ++names)
    EXPECT_EQ(symbolizer.local(folder / "prog", static_cast<std::uint64_t>(code) - 1, offset),
              name == "none" ? "" : name);
  EXPECT_EQ(names, 7);
  EXPECT_EQ(symbolizer.local(folder / "none", 5, -8), "");
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(All, LocalNamer,
                         testing::Values("g++ -O0", "g++ -O1", "g++ -O2",
                                         "g++ -O2 -fno-omit-frame-pointer", "clang++ -O0",
                                         "clang++ -O1", "clang++ -O2"),
                         [](const auto& info) { return fmt::format("Build{}", info.index); });

}  // namespace
}  // namespace raddle::report
